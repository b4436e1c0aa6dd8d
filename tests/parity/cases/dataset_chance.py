"""What random transforms draw from a seed: the pixels, by hand and in pipelines, epoch by epoch."""

import io
import zlib

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.dataset import audio, transforms, vision
from mindspore.dataset.vision import AutoAugmentPolicy, ImageBatchFormat, Inter
from mindspore.train import Callback, Model
from PIL import Image

from tests.parity.case import case

SEED = 123456


def images(count, gray=False, shape=(23, 31, 3)):
    made = np.random.RandomState(0).randint(0, 256, (count, *shape)).astype(np.uint8)
    # Smooth and rough ones by turns.
    y, x, _ = np.mgrid[: shape[0], : shape[1], : shape[2]]
    made[::2] = 2 * y + 5 * x + 20 * np.arange(shape[2])
    return np.repeat(made[..., :1], 3, -1) if gray else made


def mark(array):
    """Return a checksum: equal pixels, equal numbers; floats to three digits."""
    array = np.asarray(array)
    return zlib.crc32((array if array.dtype.kind != "f" else np.rint(array * 255)).tobytes("C"))


def source(count=6, gray=False, column="image"):
    rows = images(count, gray)
    return ds.GeneratorDataset(
        lambda: ((row.copy(),) for row in rows), [column], shuffle=False, num_parallel_workers=1
    )


def mapped(data, operations, workers=1):
    return data.map(operations, ["image"], num_parallel_workers=workers)


def epochs(data, count=2):
    made = data.create_tuple_iterator(output_numpy=True, num_epochs=count)
    return [[mark(row[0]) for row in made] for _ in range(count)]


flip, flip_down, crop = vision.RandomHorizontalFlip, vision.RandomVerticalFlip, vision.RandomCrop
turn, colored = vision.RandomRotation, vision.RandomColorAdjust

ARRAYS = {
    "flip": (lambda: [flip()],),
    "flip_rarely": (lambda: [flip(0.2)],),
    "flip_always": (lambda: [flip(1.0), flip_down(0.0)],),
    "flip_down": (lambda: [flip_down(0.7)],),
    "crop": (lambda: [crop(8)],),
    "crop_wide": (lambda: [crop((8, 31))],),
    "crop_padded": (lambda: [crop(20, [1, 2, 3, 4])],),
    "crop_of_all": (lambda: [crop((23, 31)), crop((20, 30))],),
    "crop_if_needed": (lambda: [crop((40, 20), pad_if_needed=True)],),
    "resized": (lambda: [vision.RandomResizedCrop(16)],),
    "resized_wide": (lambda: [vision.RandomResizedCrop((12, 9), (0.5, 1.0), (0.3, 3.0))],),
    "resized_too_large": (
        lambda: [vision.RandomResizedCrop(16, (3, 4), (0.5, 2.0), max_attempts=3)],
    ),
    "resized_too_wide": (
        lambda: [vision.RandomResizedCrop(16, (3, 4), (3.0, 4.0), max_attempts=3)],
    ),
    "resized_too_high": (
        lambda: [vision.RandomResizedCrop(16, (3, 4), (0.3, 0.5), max_attempts=3)],
    ),
    "brightness": (lambda: [colored(brightness=(0.5, 1.5))],),
    "contrast": (lambda: [colored(contrast=0.5)],),
    "three_of_color": (lambda: [colored((0.5, 1.5), (0.3, 1.2), (0.3, 1.2))],),
    "turn": (lambda: [turn(30)],),
    "turn_expanded": (lambda: [turn((10, 70), Inter.BILINEAR, True)],),
    "affine": (lambda: [vision.RandomAffine(15, (0.1, 0.1), (0.7, 1.2), 10)],),
    "affine_of_four": (
        lambda: [
            vision.RandomAffine(
                (5, 15), (-0.1, 0.1, 0, 0.2), (0.7, 1.2), (0, 10, -5, 5), Inter.BILINEAR
            )
        ],
    ),
    "affine_turn": (lambda: [vision.RandomAffine(15)],),
    "resize": (lambda: [vision.RandomResize(12)],),
    "sharpness": (lambda: [vision.RandomSharpness((0.2, 1.9))],),
    "saturation": (lambda: [vision.RandomColor((0.0, 2.0))],),
    "sharpened": (lambda: [vision.RandomAdjustSharpness(2.0)],),
    "posterize": (lambda: [vision.RandomPosterize((1, 8))],),
    "posterize_alike": (lambda: [vision.RandomPosterize((3, 3))],),
    "solarize": (lambda: [vision.RandomSolarize((10, 200))],),
    "invert": (lambda: [vision.RandomInvert()],),
    "auto_contrast": (lambda: [vision.RandomAutoContrast()],),
    "equalize": (lambda: [vision.RandomEqualize()],),
    "lighting": (lambda: [vision.RandomLighting(0.5)],),
    "rand_augment": (lambda: [vision.RandAugment()],),
    "rand_augment_of_ten": (lambda: [vision.RandAugment(3, 5, 10)],),
    "trivial_augment": (lambda: [vision.TrivialAugmentWide()],),
    "auto_augment": (lambda: [vision.AutoAugment()],),
    "auto_augment_cifar": (lambda: [vision.AutoAugment(AutoAugmentPolicy.CIFAR10)],),
    "auto_augment_svhn": (lambda: [vision.AutoAugment(AutoAugmentPolicy.SVHN)],),
    "uniform_augment": (
        lambda: [vision.UniformAugment([flip(), flip_down(), turn(30), vision.RandomInvert()], 3)],
    ),
    "uniform_augment_of_five": (
        lambda: [vision.UniformAugment([flip(1.0), turn(9), flip_down(1.0), crop(9), turn(30)])],
    ),
    "subpolicy": (
        lambda: [
            vision.RandomSelectSubpolicy(
                [
                    [(flip(1.0), 0.5), (turn(20), 0.8)],
                    [(flip_down(), 0.9), (vision.RandomInvert(0.5), 0.3)],
                ]
            )
        ],
    ),
    "cut_out": (lambda: [vision.CutOut(7)],),
    "cut_out_thrice": (lambda: [vision.CutOut(5, 3)],),
    "apply": (lambda: [transforms.RandomApply([flip(), turn(30)], 0.6)],),
    "choice": (lambda: [transforms.RandomChoice([flip(), turn(30), vision.Invert()])],),
    "nested": (
        lambda: [
            transforms.RandomApply(
                [
                    transforms.RandomChoice([flip(), flip_down(1.0)]),
                    transforms.Compose([vision.RandomInvert()]),
                ],
                0.9,
            )
        ],
    ),
    "composed": (lambda: [transforms.Compose([crop(16), flip()]), colored(0.4)],),
    "training": (
        lambda: [
            vision.RandomResizedCrop(20),
            flip(),
            colored(0.4, 0.4, 0.4),
            vision.Rescale(1 / 255.0, 0.0),
            vision.HWC2CHW(),
        ],
    ),
}


def through_pil(*operations):
    return [vision.ToPIL(), *operations, vision.ToNumpy()]


def colors_within(image):
    return (image[6:-6, 6:-6].mean((0, 1)) / 255).astype(np.float32)


# Those that MindSpore does in Python draw from Python's and NumPy's global generators.
PICTURES = {
    "flip": (lambda: through_pil(flip(), flip_down(0.3)),),
    "crop": (lambda: through_pil(crop(8, 2), crop(8)),),
    "resized": (lambda: through_pil(vision.RandomResizedCrop(20)),),
    "resized_too_large": (
        lambda: through_pil(vision.RandomResizedCrop(16, (3, 4), (3.0, 4.0), max_attempts=3)),
    ),
    "three_of_color": (lambda: through_pil(colored(0.4, 0.4, 0.4)),),
    "turn": (lambda: through_pil(turn(30)),),
    "affine": (
        lambda: through_pil(
            vision.RandomAffine(15, (0.1, 0.1), (0.7, 1.2), (0, 10, -5, 5)),
            vision.RandomAffine(15, None, (0.7, 1.2), 10),
        ),
    ),
    "gray": (lambda: through_pil(vision.RandomGrayscale(0.5)),),
    # On the last bit of NumPy's least squares depends whether a row is outside.
    "perspective": (lambda: [*through_pil(vision.RandomPerspective(0.4, 0.7)), colors_within],),
    "lighting": (lambda: through_pil(vision.RandomLighting(0.4)),),
    "factors": (lambda: through_pil(vision.RandomColor((0.2, 1.8)), vision.RandomSharpness()),),
    "uniform_augment": (
        lambda: through_pil(vision.UniformAugment([flip(), flip_down(), turn(30)], 2)),
    ),
    "apply": (lambda: through_pil(transforms.RandomApply([flip(), flip_down()], 0.6)),),
    "choice": (lambda: through_pil(transforms.RandomChoice([flip(), flip_down()])),),
    "order": (lambda: through_pil(transforms.RandomOrder([flip(), turn(20)])),),
    "erasing": (
        lambda: [
            *(vision.ToPIL(), vision.RandomResizedCrop(20), flip(), vision.ToTensor()),
            vision.RandomErasing(0.8),
        ],
    ),
    "erasing_by_noise": (lambda: [vision.ToTensor(), vision.RandomErasing(0.9, value="random")],),
    "erasing_by_a_color": (
        lambda: [vision.ToTensor(), vision.RandomErasing(0.9, value=(1, 2, 3))],
    ),
}


@case.table(ARRAYS)
def by_hand(operations):
    """Each call draws the same."""
    ds.config.set_seed(7)
    made = []
    for image in images(3)[[0, 0, 1, 2]]:
        for operation in operations():
            image = operation(image)
        made.append(mark(image))
    return made


@case.table(ARRAYS)
def in_a_pipeline(operations):
    ds.config.set_seed(SEED)
    return epochs(mapped(source(), operations()))


@case.table(ARRAYS)
def in_two_threads(operations):
    ds.config.set_seed(1)
    return epochs(mapped(source(7), operations(), 2))


@case.table(PICTURES)
def pictures_in_a_pipeline(operations):
    ds.config.set_seed(SEED)
    return epochs(mapped(source(), operations()))


@case
def pictures_by_hand():
    ds.config.set_seed(3)
    picture = vision.ToPIL()(images(1)[0])
    return [mark(operation(picture)) for operation in (flip(), crop(9), crop(9), turn(9))]


@case
def hue_of_gray_images():
    ds.config.set_seed(SEED)
    return epochs(mapped(source(gray=True), [colored(0.4, 0.4, 0.4, 0.3)]))


@case
def from_file_bytes():
    files = []
    for image in images(4):
        file = io.BytesIO()
        Image.fromarray(image).save(file, "PNG")
        files.append(np.frombuffer(file.getvalue(), np.uint8))
    ds.config.set_seed(SEED)
    rows = ds.GeneratorDataset(
        lambda: ((file,) for file in files), ["image"], shuffle=False, num_parallel_workers=1
    )
    return epochs(mapped(rows, [vision.RandomCropDecodeResize(16), flip()]))


def one_hot():
    rows, labels = images(12, shape=(9, 11, 3)), np.eye(4, dtype=np.int32)[np.arange(12) % 4]
    return ds.NumpySlicesDataset((rows, labels), ["image", "label"], shuffle=False).batch(4)


MIXTURES = {
    "mixup": (lambda: vision.MixUpBatch(),),
    "mixup_below_1": (lambda: vision.MixUpBatch(0.4),),
    "mixup_above_1": (lambda: vision.MixUpBatch(2.0),),
    "cutmix": (lambda: vision.CutMixBatch(ImageBatchFormat.NHWC),),
    "cutmix_sometimes": (lambda: vision.CutMixBatch(ImageBatchFormat.NHWC, 0.5, 0.6),),
}


@case.table(MIXTURES)
def mixture(operation):
    made = []
    for workers in (1, 2):
        ds.config.set_seed(5)
        columns = ["image", "label"]
        data = one_hot().map(operation(), columns, num_parallel_workers=workers)
        iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=2)
        made.append([(mark(row[0]), row[1]) for _ in range(2) for row in iterator])
    return made


@case
def mixture_of_channels_first():
    ds.config.set_seed(5)
    data = one_hot().map(lambda rows: rows.transpose(0, 3, 1, 2), ["image"])
    operation = vision.CutMixBatch(ImageBatchFormat.NCHW, 2.0, 0.9)
    data = data.map(operation, ["image", "label"], num_parallel_workers=1)
    iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=2)
    return [(mark(row[0]), row[1]) for _ in range(2) for row in iterator]


BOXES = {
    "flip": (lambda: vision.RandomHorizontalFlipWithBBox(),),
    "flip_down": (lambda: vision.RandomVerticalFlipWithBBox(),),
    "crop": (lambda: vision.RandomCropWithBBox(14),),
    "resized": (lambda: vision.RandomResizedCropWithBBox(12),),
    "resize": (lambda: vision.RandomResizeWithBBox(12),),
    "augment": (lambda: vision.BoundingBoxAugment(turn(40), 0.6),),
}


@case.table(BOXES)
def with_boxes(operation):
    boxes = np.array([[2, 3, 8, 9], [10, 5, 12, 10], [0, 0, 31, 23]], np.float32)
    made = []
    for workers in (1, 2):
        ds.config.set_seed(5)
        data = ds.GeneratorDataset(
            lambda: ((image.copy(), boxes.copy()) for image in images(6)),
            ["image", "boxes"],
            shuffle=False,
            num_parallel_workers=1,
        ).map([operation()], ["image", "boxes"], num_parallel_workers=workers)
        iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=2)
        made.append([(mark(row[0]), row[1]) for _ in range(2) for row in iterator])
    return made


MASKS = {
    "frequencies": (lambda: audio.FrequencyMasking(True, 6),),
    "times": (lambda: audio.TimeMasking(True, 6),),
    "along_an_axis": (lambda: audio.MaskAlongAxisIID(8, 3.0, 2),),
}


@case.table(MASKS)
def masked(operation):
    sounds = np.ones((5, 2, 12, 16), np.float32)
    made = []
    for workers in (1, 2):
        ds.config.set_seed(5)
        data = ds.NumpySlicesDataset(sounds, ["image"], shuffle=False)
        made.append(epochs(mapped(data, [operation()], workers)))
    return made, mark(operation()(sounds[0])), mark(operation()(sounds))


def augmented(data, workers=1):
    return mapped(data, [crop(8), flip()], workers)


def sized(data):
    data = augmented(data).batch(2)
    data.get_dataset_size()
    data.output_shapes()
    return data


PIPELINES = {
    "shuffled_and_batched": (lambda: augmented(source(10).shuffle(4)).batch(3),),
    "shuffled_later": (lambda: augmented(source(10), 2).shuffle(4).batch(3),),
    "repeated": (lambda: augmented(source(5), 2).repeat(2),),
    "mapped_twice": (lambda: augmented(mapped(source(), [crop(16)], 2)),),
    "with_functions": (
        lambda: mapped(source(), [lambda x: x // 2, crop(8), lambda x: x + 1, flip()]),
    ),
    "in_a_function": (lambda: mapped(source(), [lambda x: crop(8)(x)]),),
    "in_a_batch": (
        lambda: source().batch(
            2,
            per_batch_map=lambda rows, _: ([crop(8)(row) for row in rows],),
            input_columns=["image"],
        ),
    ),
    "filtered": (lambda: augmented(source()).filter(lambda x: bool(x[0, 0, 0] > 99), ["image"]),),
    "taken": (lambda: augmented(source()).take(3),),
    "skipped": (lambda: augmented(source()).skip(2),),
    "added": (lambda: augmented(source()) + augmented(source(3)),),
    "sized_before": (lambda: sized(source()),),
    "the_same_transform_twice": (lambda: mapped(source(), [flip()] * 2),),
    "slices": (
        lambda: augmented(ds.NumpySlicesDataset(images(10), ["image"], shuffle=True), 2).batch(4),
    ),
}


@case.table(PIPELINES)
def pipeline(data):
    ds.config.set_seed(SEED)
    return epochs(data(), 3)


def picture(image):
    return Image.fromarray(image)


def same(image):
    return image


OF_PICTURES = {
    "after_a_function": (
        lambda: [vision.ToPIL(), same, vision.Resize((9, 12)), vision.ToTensor()],
    ),
    "made_by_a_function": (lambda: [picture, crop(8), flip()],),
    "after_another": (lambda: [vision.ToPIL(), vision.Resize((9, 12)), vision.ToTensor()],),
    "composed": (lambda: transforms.Compose([picture, turn(30), vision.ToTensor()]),),
    "applied": (lambda: [vision.ToPIL(), transforms.RandomApply([same, turn(30)], 0.6)],),
    "after_an_application": (
        lambda: [vision.ToPIL(), transforms.RandomApply([same], 1.0), vision.Resize((9, 12))],
    ),
    "chosen": (lambda: [picture, transforms.RandomChoice([flip(0.9), turn(30)])],),
    "in_python_only": (lambda: [picture, vision.Grayscale(3), vision.Resize((9, 12))],),
}


@case.table(OF_PICTURES)
def pictures_after_functions(operations):
    ds.config.set_seed(SEED)
    iterator = mapped(source(3), operations()).create_tuple_iterator(
        output_numpy=True, num_epochs=1
    )
    # Floats bit for bit: arrays and pictures are divided by 255 in two ways.
    return [(str(row[0].dtype), row[0].shape, zlib.crc32(row[0].tobytes())) for row in iterator]


@case
def a_part_of_each_image_of_a_batch():
    ds.config.set_seed(SEED)
    batches = np.stack([images(4), images(4)])
    data = mapped(ds.NumpySlicesDataset(batches, ["image"], shuffle=False), [crop(8, 2)])
    return epochs(data), mark(crop(8)(batches[0])), [mark(one) for one in crop(8)(*images(2))]


@case
def each_iterator_begins_anew():
    ms.set_seed(9)
    data = augmented(source())
    return [epochs(data), epochs(data, 1), ms.set_seed(10), epochs(data, 1)]


@case
def without_an_end():
    ds.config.set_seed(SEED)
    made = augmented(source()).create_tuple_iterator(output_numpy=True)
    return [[mark(row[0]) for row in made] for _ in range(3)]


class Losses(Callback):
    def __init__(self):
        self.seen = []

    def step_end(self, run_context):
        self.seen.append(float(run_context.original_args().net_outputs.asnumpy()))


@case
def losses_of_an_augmented_training():
    ms.set_seed(3)
    rows, labels = images(24, shape=(10, 10, 3)), np.arange(24, dtype=np.int32) % 3
    data = ds.NumpySlicesDataset((rows, labels), ["image", "label"], shuffle=True)
    change = [crop(8, 2), flip(), colored(0.3, 0.3), vision.Rescale(1 / 255.0, -0.5)]
    data = mapped(data, [*change, vision.HWC2CHW()]).batch(6)
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 3))
    losses = Losses()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.05, 0.9))
    model.train(3, data, callbacks=[losses], dataset_sink_mode=False)
    return losses.seen
