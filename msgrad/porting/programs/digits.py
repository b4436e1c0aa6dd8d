"""Train a classifier of handwritten digits: an ordinary MindSpore program, run by ``msgrad demo``.

The data are the 1,797 real images of 8 x 8 pixels that come with scikit-learn.
"""

import argparse
import os
import sys

import matplotlib
import mindspore as ms
import mindspore.nn as nn
import numpy as np
from mindspore import Tensor, ops
from mindspore.amp import StaticLossScaler, all_finite
from sklearn.datasets import load_digits
from tqdm import tqdm

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TEST_IMAGES = 360


class Classifier(nn.Cell):
    """Two hidden layers on the flattened image."""

    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Dense(64, 128),
            nn.ReLU(),
            nn.Dense(128, 64),
            nn.ReLU(),
            nn.Dense(64, 10),
        )

    def construct(self, x):
        return self.layers(x)


def load_data():
    """Return the images (N, 64) in 0..1 and labels (N,), split into training and test."""
    digits = load_digits()
    order = np.random.RandomState(0).permutation(len(digits.target))
    images = (digits.data[order] / 16.0).astype(np.float32)
    labels = digits.target[order].astype(np.int32)
    train, test = slice(TEST_IMAGES, None), slice(0, TEST_IMAGES)
    return (images[train], labels[train]), (images[test], labels[test])


def train(net, images, labels, epochs, batch_size):
    """Train ``net`` and give the loss of every step."""
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.03, momentum=0.9)
    scaler = StaticLossScaler(1024.0)

    def forward_fn(x, y):
        return scaler.scale(loss_fn(net(x), y))

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters)
    shuffle = np.random.RandomState(1)
    steps = len(labels) // batch_size
    losses = []
    net.set_train()
    with tqdm(total=epochs * steps, disable=not sys.stderr.isatty(), desc="training") as progress:
        for _ in range(epochs):
            order = shuffle.permutation(len(labels))
            for step in range(steps):
                rows = order[step * batch_size : (step + 1) * batch_size]
                loss, grads = grad_fn(Tensor(images[rows]), Tensor(labels[rows]))
                grads = scaler.unscale(grads)
                if all_finite(grads):
                    optimizer(ops.clip_by_global_norm(grads, 1.0))
                losses.append(float(scaler.unscale(loss)))
                progress.update()
                progress.set_postfix(loss=f"{losses[-1]:.3f}")
    return losses


def accuracy(net, images, labels):
    """Return the fraction of images that ``net`` labels rightly."""
    net.set_train(False)
    predicted = net(Tensor(images)).asnumpy().argmax(axis=1)
    return float((predicted == labels).mean())


def draw(losses, steps_per_epoch, path):
    """Write the loss curve as a PNG, with its mean over each epoch."""
    epochs = len(losses) // steps_per_epoch
    means = np.reshape(losses, (epochs, steps_per_epoch)).mean(axis=1)
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(losses, linewidth=0.7, color="tab:blue", alpha=0.5, label="each step")
    centres = (np.arange(epochs) + 0.5) * steps_per_epoch
    axes.plot(centres, means, color="tab:red", marker="o", markersize=3, label="mean of an epoch")
    axes.set(xlabel="step", ylabel="cross entropy", yscale="log", title="Digits: training loss")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description="Train a classifier of digits.")
    parser.add_argument("--out", default=".", help="folder for loss.png (default: this one)")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--losses", help="also write the loss of every step to this text file")
    args = parser.parse_args()
    if args.epochs < 1:
        parser.error("--epochs must be at least 1")

    ms.set_seed(1)
    (images, labels), (test_images, test_labels) = load_data()
    print(f"{len(labels)} training images, {len(test_labels)} test images")
    net = Classifier()
    losses = train(net, images, labels, args.epochs, args.batch_size)
    print(f"loss: first step {losses[0]:.6f}, last step {losses[-1]:.6f}")
    print(f"test accuracy: {accuracy(net, test_images, test_labels):.4f}")

    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "loss.png")
    draw(losses, len(labels) // args.batch_size, path)
    print(f"loss curve: {path}")
    if args.losses:
        np.savetxt(args.losses, losses)


if __name__ == "__main__":
    main()
