"""Random transforms: shapes, ranges, the same again from a seed; mixtures; older paths."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest

from msgrad import dataset as ds
from msgrad._core.draws import Draws, first_below
from msgrad.dataset import transforms, vision


@pytest.fixture(autouse=True)
def unseeded():
    ds.config._settings.clear()
    yield
    ds.config._settings.clear()


def colors():
    return np.random.default_rng(0).integers(0, 256, (20, 24, 3)).astype(np.uint8)


def picture():
    return vision.ToPIL()(colors())


RANDOM = {
    "crop": lambda: vision.RandomCrop((8, 10)),
    "crop_padded": lambda: vision.RandomCrop(22, (1, 2, 3, 4)),
    "crop_if_needed": lambda: vision.RandomCrop(30, pad_if_needed=True),
    "resized_crop": lambda: vision.RandomResizedCrop(9),
    "flip": lambda: vision.RandomHorizontalFlip(),
    "rotation": lambda: vision.RandomRotation(40, vision.Inter.BILINEAR),
    "affine": lambda: vision.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 10),
    "perspective": lambda: vision.RandomPerspective(prob=0.9),
    "color_adjust": lambda: vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.2),
    "color": lambda: vision.RandomColor(),
    "sharpness": lambda: vision.RandomSharpness(),
    "lighting": lambda: vision.RandomLighting(1.0),
    "posterize": lambda: vision.RandomPosterize((1, 8)),
    "solarize": lambda: vision.RandomSolarize(),
    "auto_augment": lambda: vision.AutoAugment(),
    "auto_augment_cifar": lambda: vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10),
    "auto_augment_svhn": lambda: vision.AutoAugment(vision.AutoAugmentPolicy.SVHN),
    "rand_augment": lambda: vision.RandAugment(3, 15),
    "trivial_augment": lambda: vision.TrivialAugmentWide(),
    "uniform_augment": lambda: vision.UniformAugment([vision.HorizontalFlip(), vision.Invert()]),
    "resize": lambda: vision.RandomResize((9, 8)),
    "choice": lambda: transforms.RandomChoice([vision.HorizontalFlip(), vision.Invert()]),
    "order": lambda: transforms.RandomOrder([vision.Rotate(45.0), vision.CenterCrop((8, 20))]),
    "apply": lambda: transforms.RandomApply([vision.HorizontalFlip()]),
}
SIZES = {
    "crop": (8, 10),
    "crop_padded": (22, 22),
    "crop_if_needed": (30, 30),
    "resized_crop": (9, 9),
    "resize": (9, 8),
    "order": (8, 20),
}


@pytest.mark.parametrize("image", [colors, picture])
@pytest.mark.parametrize("name", RANDOM)
def test_a_random_transform_keeps_its_shape_and_draws_the_same_from_a_seed(name, image):
    transform, given = RANDOM[name](), image()
    before = [vision.ToPIL()] if image is picture or name == "perspective" else []
    data = ds.NumpySlicesDataset(np.stack([colors()] * 12), ["image"], shuffle=False)
    data = data.map([*before, transform], ["image"])

    def drawn():
        ds.config.set_seed(5)
        return [row[0] for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]

    first = drawn()
    size = SIZES.get(name, (20, 24))
    assert all(made.shape == (*size, 3) and made.dtype == np.uint8 for made in first)
    assert len({made.tobytes() for made in first}) > 1
    assert all(map(np.array_equal, first, drawn()))
    given = picture() if name == "perspective" else given
    made = [np.asarray(transform(given)) for _ in range(2)]
    assert all(one.shape == (*size, 3) for one in made)
    np.testing.assert_array_equal(given, colors())


@pytest.mark.parametrize("name", RANDOM)
def test_without_a_seed_each_call_draws_anew(name):
    if name != "order":  # That draws from Python's generator.
        transform = RANDOM[name]()
        assert (
            len({np.asarray(transform(picture_or_colors(name))).tobytes() for _ in range(40)}) > 1
        )


def picture_or_colors(name):
    return picture() if name == "perspective" else colors()


def test_a_row_draws_the_same_whatever_else_is_made():
    ds.config.set_seed(1)
    data = ds.NumpySlicesDataset(np.stack([colors()] * 5), ["image"], shuffle=False)
    data = data.map(vision.RandomCrop(4), ["image"])
    rows = [row[0] for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]
    assert len({row.tobytes() for row in rows}) > 1
    iterator = data.skip(3).create_tuple_iterator(output_numpy=True, num_epochs=1)
    assert [row[0].shape for row in iterator] == [(4, 4, 3)] * 2
    again = [row[0] for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]
    assert all(map(np.array_equal, rows, again))


@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 2500])
def test_draws_go_on_from_a_place(count):
    one, other = Draws(3), Draws(3)
    for _ in range(count):
        one.below(10)
    one.normal(one.spare)
    other.place = one.place
    assert other.place == one.place
    assert [other.normal(other.spare), other.unit()] == [one.normal(one.spare), one.unit()]


@pytest.mark.parametrize(("seed", "count"), [(7, 10), (2**32 - 3, 3), (50, 3 * 10**9)])
def test_first_numbers_of_many_seeds(seed, count):
    each = [Draws(seed + i).below(count) for i in range(30)]
    assert first_below(seed, 30, count) == each


def test_a_crop_is_a_part_of_the_image():
    image = np.arange(20 * 24, dtype=np.int32).reshape(20, 24)
    for _ in range(20):
        made = vision.RandomCrop((5, 6))(image)
        top, left = divmod(int(made[0, 0]), 24)
        np.testing.assert_array_equal(made, image[top : top + 5, left : left + 6])


def test_erasing():
    ds.config.set_seed(3)
    image = np.ones((3, 20, 20), np.float32)
    made = vision.RandomErasing(1.0, (0.1, 0.2), value=(2, 3, 4))(image)
    share = (made != 1).mean()
    assert 0.05 < share < 0.25
    assert [np.unique(plane).tolist() for plane in made] == [[1, 2], [1, 3], [1, 4]]
    assert (image == 1).all()
    assert len(np.unique(vision.RandomErasing(1.0, value="random")(image))) > 9


def test_cut_out():
    ds.config.set_seed(3)
    made = vision.CutOut(4, 2)(np.ones((20, 20, 3), np.uint8))
    assert 4 <= (made == 0).all(-1).sum() <= 32
    first = vision.CutOut(4, is_hwc=False)(np.ones((3, 20, 20), np.uint8))
    assert (first == 0).any()


@pytest.mark.parametrize("channels_first", [False, True])
def test_mixtures_keep_the_sum_of_labels(channels_first):
    ds.config.set_seed(3)
    images = np.stack([np.full((8, 8, 3), 50 * i, np.uint8) for i in range(4)])
    labels = np.eye(4, dtype=np.float32)
    mixed, shares = vision.MixUpBatch()(images, labels)
    assert mixed.dtype == np.uint8
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
    np.testing.assert_allclose(mixed[:, 0, 0, 0], shares @ (50 * np.arange(4)), atol=1)
    kind = vision.ImageBatchFormat.NCHW if channels_first else vision.ImageBatchFormat.NHWC
    given = np.moveaxis(images, -1, 1) if channels_first else images
    cut, shares = vision.CutMixBatch(kind)(given, labels)
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
    plane = cut[:, 0] if channels_first else cut[..., 0]
    np.testing.assert_allclose(plane.mean((1, 2)), shares @ (50 * np.arange(4)), atol=1e-4)


def test_files_of_images(tmp_path):
    path = str(tmp_path / "a.png")
    vision.write_png(path, colors())
    np.testing.assert_array_equal(vision.read_image(path), colors())
    np.testing.assert_array_equal(vision.Decode()(vision.read_file(path)), colors())
    assert vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape == (20, 24, 1)
    smooth = np.add.outer(np.arange(20), np.arange(24))[..., None].repeat(3, -1).astype(np.uint8)
    data = vision.encode_jpeg(smooth, 95)
    assert np.abs(vision.Decode()(data).astype(int) - smooth).max() < 6
    assert vision.get_image_size(colors()) == vision.get_image_size(picture()) == [20, 24]
    assert vision.get_image_num_channels(picture()) == 3
    with pytest.raises(RuntimeError, match="does not exist"):
        vision.read_file(str(tmp_path / "b.png"))


@pytest.mark.parametrize("package", ["vision", "transforms"])
@pytest.mark.parametrize("way", ["c_transforms", "py_transforms"])
def test_older_paths(package, way):
    name = f"msgrad.dataset.{package}.{way}"
    sys.modules.pop(name, None)
    with pytest.warns(DeprecationWarning, match=f"it is .*msgrad.dataset.{package}"):
        module = importlib.import_module(name)
    assert module.Compose is transforms.Compose
    assert module.TypeCast is transforms.TypeCast
    if package == "vision":
        data = vision.encode_png(colors())
        made = module.Decode()(data)
        assert isinstance(made, np.ndarray) == (way == "c_transforms")
        first = way == "py_transforms"
        axes = module.Normalize([0.0, 1.0, 2.0], [1.0, 1.0, 1.0])
        shape = (3, 2, 2) if first else (2, 2, 3)
        assert axes(np.zeros(shape, np.float32)).shape == shape
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = module.Nonsense


def test_a_transform_on_the_older_base():
    sys.modules.pop("msgrad.dataset.transforms.py_transforms", None)
    with pytest.warns(DeprecationWarning, match="py_transforms"):
        module = importlib.import_module("msgrad.dataset.transforms.py_transforms")

    class Doubled(module.PyTensorOperation):
        def __call__(self, x):
            return x * 2

    rows = ds.NumpySlicesDataset([1, 2], ["a"], shuffle=False).map(Doubled(), ["a"])
    assert [int(row["a"]) for row in rows.create_dict_iterator(output_numpy=True)] == [2, 4]
