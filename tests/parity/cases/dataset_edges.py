"""Datasets at the edges of what they accept: arguments, sizes, errors in functions, callbacks."""

import pathlib
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.dataset import transforms, vision

from tests.parity.case import case


def rows(data, epochs=1, **options):
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True, **options)
    return [[list(row) for row in iterator] for _ in range(epochs)]


def pairs(count=4):
    source = [(np.float32(i), np.array([i, i + 1], np.int32)) for i in range(count)]
    return ds.GeneratorDataset(source, ["a", "b"], shuffle=False)


def growing():
    source = [(np.arange(i + 1, dtype=np.int32), np.ones((2, i + 1))) for i in range(5)]
    return ds.GeneratorDataset(source, ["a", "b"], shuffle=False)


def texts(kind=str):
    values = [np.array([kind("a")]), np.array([kind("b"), kind("c")])]
    return ds.GeneratorDataset([(value,) for value in values], ["s"], shuffle=False)


def same(x):
    return x


def as_bytes(text):
    return text.encode()


def length(a):
    return len(a)


@case.table(
    {
        "batch": (lambda: pairs(5).batch(2),),
        "dropped": (lambda: pairs(5).batch(2, True),),
        "grows": (growing,),
        "map": (lambda: pairs().map(lambda a: np.zeros(int(a) + 1), "a"),),
        "ranks": (lambda: ds.GeneratorDataset([np.zeros(2), np.zeros((2, 2))], ["a"]),),
    }
)
def estimated(make):
    return make().output_shapes(estimate=True)


def _padded(fill, kind=str):
    return lambda: texts(kind).padded_batch(2, pad_info={"s": ([3], fill)})


def _pads(value):
    return lambda: growing().project("a").padded_batch(2, pad_info=value)


@case.table(
    {
        "text": (_padded("<p>"),),
        "bytes": (_padded(b"<p>", as_bytes),),
        "text_by_number": (_padded(3),),
        "text_by_none": (_padded(None),),
        "bytes_by_text": (_padded("<p>", as_bytes),),
        "number_by_text": (_pads({"a": ([6], "x")}),),
        "int": (_pads({"a": 5}),),
        "list": (_pads({"a": [[3], 1]}),),
        "one": (_pads({"a": ([3],)}),),
        "shape_of_tuple": (_pads({"a": ((3,), 1)}),),
        "fill_of_numpy": (_pads({"a": ([6], np.int32(1))}),),
        "fill_bool": (_pads({"a": ([6], True)}),),
        "size_zero": (_pads({"a": ([0], 1)}),),
        "size_float": (_pads({"a": ([2.0], 1)}),),
        "key": (_pads({1: ([3], 1)}),),
    }
)
def padding(make):
    return rows(make())


@case.table({"all": ({},), "one": ({"s": None},), "empty": ({"s": ([3], "")},)})
def texts_padded_by_nothing(pads):
    made = [rows(texts().padded_batch(2, pad_info=pads))]
    return [*made, rows(texts().bucket_batch_by_length(["s"], [4], [2, 2], pad_info=pads))]


@case
def bytes_padded_by_nothing():
    return rows(texts(as_bytes).padded_batch(2, pad_info={}))


def _bucket(boundaries, *function, sizes=(2, 2)):
    return lambda: (
        growing().project("a").bucket_batch_by_length(["a"], boundaries, list(sizes), *function)
    )


@case.table(
    {
        "no_boundary": (_bucket([], sizes=(2,)),),
        "length_float": (_bucket([3], lambda a: 2.0),),
        "length_negative": (_bucket([3], lambda a: -1),),
        "length": (_bucket([3], length),),
        "without_axes": (
            lambda: ds.NumpySlicesDataset([*range(5)], ["x"], shuffle=False).bucket_batch_by_length(
                ["x"], [1, 3], [2, 3, 2]
            ),
        ),
    }
)
def buckets(make):
    return rows(make())


@case.table(
    {
        "batch_workers": (lambda: pairs().batch(2, num_parallel_workers=0),),
        "batch_rowsize": (lambda: pairs().batch(2, max_rowsize="x"),),
        "batch_rowsize_low": (lambda: pairs().batch(2, max_rowsize=-2),),
        "batch_option": (lambda: pairs().batch(2, pad_info={}),),
        "batch_size_function": (lambda: pairs().batch(lambda: 2),),
        "map_workers": (lambda: pairs().map(same, "a", num_parallel_workers=0),),
        "map_processes": (lambda: pairs().map(same, "a", python_multiprocessing=1),),
        "map_rowsize": (lambda: pairs().map(same, "a", max_rowsize="a"),),
        "map_offload": (lambda: pairs().map(same, "a", offload="x"),),
        "map_cache": (lambda: pairs().map(same, "a", cache=3),),
        "map_callbacks": (lambda: pairs().map(same, "a", callbacks=[3]),),
        "map_class": (lambda: pairs().map(ds.transforms.TypeCast, "a"),),
        "map_columns": (lambda: pairs().map(same, ("a",)),),
        "map_no_columns": (lambda: pairs().map(same, []),),
        "map_no_outputs": (lambda: pairs().map(same, "a", []),),
        "filter_workers": (lambda: pairs().filter(same, "a", num_parallel_workers=0),),
        "project_int": (lambda: pairs().project([1]),),
        "rename_none": (lambda: pairs().rename([], []),),
        "rename_blank": (lambda: pairs().rename("a", ""),),
        "split_tuple": (lambda: pairs().split((2, 2)),),
        "sync_name": (lambda: pairs().sync_wait(3),),
        "concat_none": (lambda: rows(pairs().concat([])),),
        "iterator_columns_none": (lambda: rows(pairs(), columns=[]),),
        "iterator_columns_int": (lambda: rows(pairs(), columns=[3]),),
        "estimate": (lambda: pairs().output_shapes(estimate=1),),
        "generator_rowsize": (lambda: ds.GeneratorDataset([1], ["a"], max_rowsize="a"),),
        "generator_rowsize_low": (lambda: ds.GeneratorDataset([1], ["a"], max_rowsize=-5),),
        "generator_blank": (lambda: ds.GeneratorDataset([(1, 2)], ["a", ""]),),
        "slices_tuple": (lambda: ds.NumpySlicesDataset(((1, 2), (3, 4))),),
        "slices_numbers": (lambda: ds.NumpySlicesDataset((1, 2)),),
        "slices_number": (lambda: ds.NumpySlicesDataset({"a": 1}),),
        "slices_range": (lambda: ds.NumpySlicesDataset((range(2),)),),
        "shards_float": (lambda: ds.DistributedSampler(3.0, 1),),
        "shards_shuffle": (lambda: ds.DistributedSampler(3, 1, 1),),
        "shards_offset": (lambda: ds.DistributedSampler(3, 1, offset="a"),),
        "weights_samples": (lambda: ds.WeightedRandomSampler([1], 2.0),),
        "classes_column": (lambda: ds.PKSampler(2, class_column=3),),
        "replaced_in_concat": (
            lambda: (pairs() + pairs()).use_sampler(ds.RandomSampler(replacement=True)),
        ),
        "generator_schema": (lambda: ds.GeneratorDataset([1], ["a"], schema=3),),
        "write_nowhere": (lambda: vision.write_file("/nowhere/at/f", np.ones(3, np.uint8)),),
        "write_png_nowhere": (
            lambda: vision.write_png("/nowhere/at/f.png", np.ones((3, 4, 3), np.uint8)),
        ),
        "write_jpeg_nowhere": (
            lambda: vision.write_jpeg("/nowhere/at/f.jpg", np.ones((3, 4, 3), np.uint8)),
        ),
        "schema_missing": (lambda: ds.Schema("/nowhere/at.json"),),
        "step_size": (lambda: ds.DSCallback(0),),
        "step_size_float": (lambda: ds.DSCallback(1.0),),
        "error_mode": (lambda: ds.config.set_error_samples_mode("SKIP"),),
        "settings_missing": (lambda: ds.config.load("/nowhere/at.json"),),
    }
)
def refused(call):
    call()


UNKNOWN = {
    "map": lambda data: data.map(same, "c"),
    "map_transform": lambda data: data.map(transforms.TypeCast(ms.float32), ["a", "c"]),
    "map_and_more": lambda data: data.map(same, "c").batch(2).repeat(3).shuffle(4).take(3),
    "batch": lambda data: data.batch(2, per_batch_map=lambda c, info: c, input_columns=["c"]),
    "project": lambda data: data.project(["c"]),
    "rename": lambda data: data.rename("c", "d"),
    "rename_into_another": lambda data: data.rename("a", "b"),
    "zip": lambda data: data.zip(pairs()),
    "concat": lambda data: data + pairs().rename("a", "c"),
}


@case.table({name: (make,) for name, make in UNKNOWN.items()})
def size_without_the_columns(make):
    """A column that is not there is an error of who reads, not of who builds the pipeline."""
    return make(pairs()).get_dataset_size()


READ = {
    "names": lambda data: data.get_col_names(),
    "shapes": lambda data: data.output_shapes(),
    "rows": rows,
}


@case.table(
    {f"{name}-{what}": (make, what) for name, make in UNKNOWN.items() for what in READ}
    | {
        "filter-rows": (lambda data: data.filter(same, "c"), "rows"),
        "filter-names": (lambda data: data.filter(same, "c"), "names"),
        "buckets-rows": (lambda data: data.bucket_batch_by_length(["c"], [2], [2, 2]), "rows"),
        "buckets-names": (lambda data: data.bucket_batch_by_length(["c"], [2], [2, 2]), "names"),
    }
)
def columns_not_there(make, what):
    data = make(pairs())
    return READ[what](data)


class Sized:
    """An iterable that says how long it is."""

    def __init__(self, count, told):
        self.count, self.told = count, told

    def __iter__(self):
        return iter([(i,) for i in range(self.count)])

    def __len__(self):
        return self.told


class OnlyItems:
    def __getitem__(self, index):
        return (index,)


def _of(source, **options):
    return lambda: ds.GeneratorDataset(source, ["a"], shuffle=False, **options)


@case.table(
    {
        "as_long": (lambda: ds.GeneratorDataset(Sized(3, 3), ["a"]),),
        "shorter": (lambda: ds.GeneratorDataset(Sized(2, 3), ["a"]),),
        "longer": (lambda: ds.GeneratorDataset(Sized(3, 2), ["a"]),),
        "part_of_longer": (lambda: ds.GeneratorDataset(Sized(3, 2), ["a"], num_samples=1),),
        "empty": (_of([]),),
        "no_length": (_of(OnlyItems()),),
        "dates": (_of([np.datetime64("2020-01-01")]),),
        "zipped": (lambda: ds.GeneratorDataset(zip([1, 2, 3], strict=True), ["a"], shuffle=False),),
        "batches_of_ints": (lambda: ds.GeneratorDataset([1, 2], ["a"], batch_sampler=[0, 1]),),
        "collate_none": (
            lambda: ds.GeneratorDataset(
                [1, 2], ["a"], batch_sampler=[[0, 1]], collate_fn=lambda a: None
            ),
        ),
        "collate_two": (
            lambda: ds.GeneratorDataset(
                [1, 2], ["a"], batch_sampler=[[0, 1]], collate_fn=lambda a: (a, a)
            ),
        ),
        "numbers": (lambda: ds.NumpySlicesDataset([1.5, 2], shuffle=False),),
        "numbers_by_name": (lambda: ds.NumpySlicesDataset({"a": [1.5, 2]}, shuffle=False),),
        "number_and_text": (lambda: ds.NumpySlicesDataset([1, "a"], shuffle=False),),
        "lists": (lambda: ds.NumpySlicesDataset([[1, 2.5], [3, 4]], shuffle=False),),
        "letters": (lambda: ds.NumpySlicesDataset({"a": "xy"}, shuffle=False),),
    }
)
def source(make):
    return rows(make())


@case
def columns_of_a_text():
    return rows(pairs(), columns="b")


@case.table({f"{i}_of_{epochs}": (i, epochs) for i in (0, 3, 4, 6, 9) for epochs in (1, 3)})
def going_on_at(step, epochs):
    data = pairs()
    data.set_init_step(step)
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    done = []
    try:
        for _ in range(epochs + 1):
            done.append([row[0] for row in iterator])
    except RuntimeError:
        return done
    return "no error"


def _failing(*at):
    def function(x):
        if int(x) in at:
            raise ValueError("bad")
        return x + x

    return function


@case.table(
    {
        "some": (range(7), _failing(2, 5)),
        "first": (range(7), _failing(0, 1)),
        "all": (range(3), _failing(0, 1, 2)),
        "of_two": (range(7), [_failing(2), _failing(4)]),
        "batch": (range(7), _failing(2, 5), 2),
    }
)
def errors_left_out(values, functions, size=None):
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    try:
        data = ds.GeneratorDataset([*values], ["x"], shuffle=False).map(functions, "x")
        data = data.batch(size) if size else data
        return data.get_dataset_size(), rows(data, 2)
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


@case.table({"two": (range(7), _failing(2, 5)), "all": (range(2), _failing(0, 1))})
def errors_replaced(values, function):
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)
    try:
        data = ds.GeneratorDataset([*values], ["x"], shuffle=False).map(function, "x")
        return data.get_dataset_size(), rows(data, 2)
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


class Begins(ds.DSCallback):
    """What its base has it told before rows; threads of 2.10 mix that with what is told after."""

    def __init__(self, step_size=1):
        super().__init__(step_size)
        self.told = []

    def note(self, event, place):
        numbers = place.cur_epoch_num, place.cur_step_num_in_epoch, place.cur_step_num
        self.told.append((event, *numbers))

    def ds_begin(self, place):
        self.note("begin", place)

    def ds_epoch_begin(self, place):
        self.note("epoch", place)

    def ds_step_begin(self, place):
        self.note("step", place)


class Ends(Begins):
    ds_begin, ds_epoch_begin = ds.DSCallback.ds_begin, ds.DSCallback.ds_epoch_begin
    ds_step_begin = ds.DSCallback.ds_step_begin

    def ds_epoch_end(self, place):
        self.note("epoch", place)

    def ds_step_end(self, place):
        self.note("step", place)


class Fails(ds.DSCallback):
    def ds_step_begin(self, place):
        raise ValueError("no")


def _told(callback, count=4, repeated=1):
    data = pairs(count).map(same, "a", num_parallel_workers=1, callbacks=callback)
    rows(data.repeat(repeated) if repeated > 1 else data, 2)
    return callback.told


@case.table(
    {
        "before": (lambda: _told(Begins()),),
        "after": (lambda: _told(Ends()),),
        "steps_of_two": (lambda: _told(Begins(2), 5),),
        "after_steps_of_two": (lambda: _told(Ends(2), 5),),
        "repeated": (lambda: _told(Begins(), 2, 2),),
        "after_repeated": (lambda: _told(Ends(), 2, 2),),
        "none": (lambda: rows(pairs().map(same, "a", callbacks=ds.DSCallback())),),
        "error": (lambda: rows(pairs().map(same, "a", callbacks=[Fails()])),),
        "not_trained": (lambda: rows(pairs().map(same, "a", callbacks=Waiting())),),
    }
)
def callbacks(call):
    ds.config.set_callback_timeout(1)
    return call()


class Waiting(ds.WaitedDSCallback):
    def __init__(self, step_size=1):
        super().__init__(step_size)
        self.told = []

    def note(self, event, run, place):
        run = run.original_args()
        numbers = place.cur_epoch_num, place.cur_step_num_in_epoch, place.cur_step_num
        self.told.append((event, *numbers, run.cur_epoch_num, run.cur_step_num))

    def sync_epoch_begin(self, run, place):
        self.note("epoch", run, place)

    def sync_step_begin(self, run, place):
        self.note("step", run, place)


@case.table({"rows": (1, 1), "batches": (2, 2)})
def waits_for_training(step_size, size):
    told, net = Waiting(step_size), nn.Dense(2, 1)
    source = [(np.ones(2, np.float32), np.ones(1, np.float32)) for _ in range(4)]
    data = ds.GeneratorDataset(source, ["x", "y"], shuffle=False)
    data = data.map(same, "x", num_parallel_workers=1, callbacks=told).batch(size)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    model.train(2, data, callbacks=[told], dataset_sink_mode=False)
    return told.told


@case.table({"begin": (4, 3, 1), "within": (6, 3, 1), "no_epoch_left_out": (6, 2, 0)})
def training_goes_on_at(step, epochs, initial):
    seen = []

    class Note(ms.train.Callback):
        def on_train_step_end(self, run_context):
            run = run_context.original_args()
            seen.append((run.cur_epoch_num, run.cur_step_num, run.train_dataset_element[0]))

    source = [(np.full(2, i, np.float32), np.ones(1, np.float32)) for i in range(4)]
    data = ds.GeneratorDataset(source, ["x", "y"], shuffle=False).batch(1)
    data.set_init_step(step)
    net = nn.Dense(2, 1)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    options = {"dataset_sink_mode": False, "initial_epoch": initial}
    model.train(epochs, data, callbacks=[Note()], **options)
    return seen


IMAGE = np.random.RandomState(7).randint(0, 256, (9, 7, 3)).astype(np.uint8)
NUMBERS = np.arange(3, dtype=np.int32)
NAMES = np.array(["a", "b"])
BYTES = np.array([b"x", b"yy"])
MORE = ds.transforms.Relational.GT


@case.table(
    {
        "color": (lambda: vision.RandomColor((0.3, 0.3)), IMAGE),
        "more_color": (lambda: vision.RandomColor((1.7, 1.7)), IMAGE),
        "blur_of_sigma_0": (lambda: vision.GaussianBlur(5, 0.0), IMAGE),
        "blur_of_one_sigma_0": (lambda: vision.GaussianBlur((3, 5), (0.0, 2.0)), IMAGE),
        "fourth_channel_not_there": (
            lambda: vision.ConvertColor(vision.ConvertMode.COLOR_RGBA2BGR),
            IMAGE,
        ),
        "fourth_channel_of_gray": (
            lambda: vision.ConvertColor(vision.ConvertMode.COLOR_BGRA2GRAY),
            IMAGE,
        ),
        "erased_outside": (lambda: vision.Erase(0, 0, 20, 20), IMAGE),
        "erased_of_four": (lambda: vision.Erase(0, 0, 2, 2), np.zeros((4, 4, 4), np.uint8)),
        "list_erased": (lambda: vision.Erase(0, 0, 2, 2), IMAGE.tolist()),
        "list_first_channels": (lambda: vision.HWC2CHW(), IMAGE.tolist()),
        "list_normalized": (lambda: vision.Normalize([1.0], [1.0]), IMAGE.tolist()),
        "list_rescaled": (lambda: vision.Rescale(1.0, 0.0), IMAGE.tolist()),
        "list_padded": (lambda: vision.PadToSize(20), IMAGE.tolist()),
        "list_sliced": (lambda: vision.SlicePatches(2, 2), IMAGE.tolist()),
        "to_pil_of_four_axes": (lambda: vision.ToPIL(), np.zeros((2, 3, 3, 3), np.uint8)),
        "to_pil_of_one_channel": (
            lambda: transforms.Compose([vision.ToPIL(), vision.ToNumpy()]),
            np.arange(12, dtype=np.float32).reshape(3, 4, 1),
        ),
        "to_pil_of_two_channels": (lambda: vision.ToPIL(), np.zeros((3, 3, 2), np.float32)),
        "to_pil_of_five_channels": (lambda: vision.ToPIL(), np.zeros((3, 3, 5), np.uint8)),
        "bytes_padded": (lambda: transforms.PadEnd([3]), BYTES),
        "bytes_padded_with": (lambda: transforms.PadEnd([3], b"zzz"), BYTES),
        "bytes_padded_with_text": (lambda: transforms.PadEnd([3], "z"), BYTES),
        "text_padded_with_number": (lambda: transforms.PadEnd([3], 1), NAMES),
        "number_padded_with_text": (lambda: transforms.PadEnd([5], "z"), NUMBERS),
        "text_cast": (lambda: transforms.TypeCast(ms.int32), NAMES),
        "cast_to_text": (lambda: transforms.TypeCast(ms.string), NUMBERS),
        "text_cast_to_bool": (lambda: transforms.TypeCast(ms.bool_), NAMES),
        "none_cast": (lambda: transforms.TypeCast(ms.int32), None),
        "bytes_filled_with_text": (lambda: transforms.Fill("x"), BYTES),
        "text_compared": (lambda: transforms.Mask(MORE, 1), NAMES),
        "number_compared_with_text": (lambda: transforms.Mask(MORE, "a"), NUMBERS),
        "sliced_outside": (lambda: transforms.Slice(9), NUMBERS),
        "sliced_outside_of_list": (lambda: transforms.Slice([0, 9]), NUMBERS),
        "joined_kinds": (lambda: transforms.Concatenate(0, np.array([1.5])), NUMBERS),
        "joined_sizes": (lambda: transforms.Concatenate(0, np.array([1], np.int64)), NUMBERS),
        "joined_axes": (lambda: transforms.Concatenate(0), np.zeros((2, 2))),
    }
)
def transformed(make, value):
    return make()(value)


@case.table(
    {
        "erase_value": (lambda: vision.Erase(0, 0, 1, 1, [1, 2, 3]),),
        "erase_large": (lambda: vision.Erase(0, 0, 1, 1, (300, 1, 1)),),
        "erase_inplace": (lambda: vision.Erase(0, 0, 1, 1, 0, 1),),
        "random_erase_value": (lambda: vision.RandomErasing(0.5, value=None),),
        "random_erase_two": (lambda: vision.RandomErasing(0.5, value=(1, 2)),),
        "random_erase_scale": (lambda: vision.RandomErasing(0.5, scale=0.3),),
        "random_erase_inplace": (lambda: vision.RandomErasing(0.5, inplace=1),),
        "crop_scale": (lambda: vision.RandomResizedCrop(3, 0.3),),
        "crop_ratio": (lambda: vision.RandomResizedCrop(3, ratio=(0, 0)),),
        "affine_scale": (lambda: vision.RandomAffine(10, scale=1),),
        "affine_shear": (lambda: vision.Affine(10.0, [0.1, 0.1], 1.0, (1, 2, 3, 4)),),
        "affine_shear_large": (lambda: vision.Affine(10.0, [0.1, 0.1], 1.0, 300),),
        "cut_out_axis": (lambda: vision.CutOut(1, 1, "a"),),
        "ten_flip": (lambda: vision.TenCrop(2, 1),),
        "pad_offset": (lambda: vision.PadToSize(20, "a"),),
        "pad_offset_below_0": (lambda: vision.PadToSize(20, -1),),
        "pad_size": (lambda: vision.PadToSize([1]),),
        "gray": (lambda: vision.Grayscale("a"),),
        "normalize_dtype": (lambda: vision.NormalizePad([1.0], [1.0], 3),),
        "blur": (lambda: vision.GaussianBlur(3, [1.0]),),
        "mask": (lambda: transforms.Mask(MORE, [1]),),
        "pad_end_value": (lambda: transforms.PadEnd([3], [1]),),
        "pad_end_shape": (lambda: transforms.PadEnd([-1]),),
        "pad_end_float": (lambda: transforms.PadEnd([1.5]),),
        "slice": (lambda: transforms.Slice([1.5]),),
        "concatenate": (lambda: transforms.Concatenate(0, [1]),),
    }
)
def not_made(call):
    call()


def _numbers():
    schema = ds.Schema()
    for name, kind, shape in (("a", "uint8", [2]), ("b", "int32", [1]), ("c", "float32", [2, 2])):
        schema.add_column(name, getattr(ms, kind), shape)
    schema.add_column("d", ms.bool_, [3])
    return schema


@case.table(
    {
        "plain": ({},),
        "a_column": ({"columns_list": ["b"]},),
        "part": ({"num_samples": 1, "num_shards": 2, "shard_id": 0, "shuffle": False},),
        "no_column": ({"columns_list": ["z"]},),
        "total": ({"total_rows": 1.0},),
        "schema": ({"schema": 3},),
    }
)
def random_bytes(options):
    ds.config.set_seed(11)
    options = {"total_rows": 3, "schema": _numbers(), "num_parallel_workers": 1, **options}
    data = ds.RandomDataset(**options)
    return data.get_dataset_size(), data.get_col_names(), rows(data, 2)


FILES = {"a.txt": "l1\n\nl2 \n", "b.txt": "m1\r\nm2", "e.txt": "", "h.csv": "a,b\n1,2\n3,4\n"}
FILES |= {"n.csv": "2.5,x\n-7z,y\n", "i.csv": "99999999999\n", "t.csv": "1;2\n"}
ROWS = {"shuffle": False, "num_parallel_workers": 1}


def _text(*names, **options):
    return ds.TextFileDataset([*names], **{**ROWS, **options})


def _values(names, *further, **options):
    return ds.CSVDataset(names, *further, **ROWS, **options)


def _record(root):
    ds.NumpySlicesDataset({"a": np.arange(5)}, shuffle=False).save(f"{root}/a.mindrecord")
    return ds.MindDataset(f"{root}/a.mindrecord", **ROWS)


@case.table(
    {
        "carriage_return": (lambda at: [_text(f"{at}/b.txt")],),
        "twice": (lambda at: [_text(f"{at}/a.txt", f"{at}/a.txt")],),
        "twice_of_values": (lambda at: [_values([f"{at}/h.csv"] * 2)],),
        "empty": (lambda at: [_text(f"{at}/e.txt")],),
        "none": (lambda at: [_text()],),
        "folder": (lambda at: [_text(at)],),
        "split": (lambda at: _text(f"{at}/a.txt", f"{at}/b.txt").split([3, 1], False),),
        "split_at_random": (lambda at: _text(f"{at}/a.txt", f"{at}/b.txt").split([0.5, 0.5]),),
        "split_values": (lambda at: _values(f"{at}/h.csv").split([1, 1], False),),
        "split_records": (lambda at: _record(at).split([3, 2]),),
        "whole_numbers": (
            lambda at: [_values(f"{at}/n.csv", ",", [1, "s"], column_names=["a", "b"])],
        ),
        "large_number": (lambda at: [_values(f"{at}/i.csv", ",", [1], column_names=["a"])],),
        "delimiter": (lambda at: [_values(f"{at}/t.csv", ";;")],),
        "delimiter_quote": (lambda at: [_values(f"{at}/t.csv", '"')],),
        "delimiter_int": (lambda at: [_values(f"{at}/t.csv", 3)],),
        "defaults": (lambda at: [_values(f"{at}/h.csv", ",", [None, 1])],),
        "names": (lambda at: [_values(f"{at}/h.csv", column_names=[1, 2])],),
    }
)
def of_files(make):
    ds.config.set_seed(11)
    with tempfile.TemporaryDirectory() as root:
        for name, text in FILES.items():
            pathlib.Path(root, name).write_bytes(text.encode())
        return [(data.get_dataset_size(), rows(data)) for data in make(root)]


def nothing(*columns):
    return None


def _by_one(iterator):
    return [iterator._get_next() for _ in range(pairs().get_dataset_size() + 2)]


STEPS = {
    "map_tuple": lambda: rows(pairs().map((same, np.negative), "a")),
    "map_class": lambda: pairs().map(int, "a"),
    "map_empty": lambda: rows(pairs().map(lambda a: [], "a")),
    "map_row_sizes": lambda: pairs().map(same, "a", max_rowsize=[1]),
    "map_row_size": lambda: pairs().map(same, "a", max_rowsize=-2),
    "map_order": lambda: pairs().map(same, "a", column_order=["b", "a"]),
    "batch_nothing": lambda: rows(pairs().batch(2, per_batch_map=nothing)),
    "batch_number": lambda: rows(pairs().batch(2, per_batch_map=lambda a, b, info: (a, 3))),
    "pad_list": lambda: pairs().padded_batch(2, pad_info={"b": [1]}),
    "shuffled_after_wait": lambda: pairs().sync_wait("c").batch(2).shuffle(2),
    "numpy_none": lambda: next(pairs().create_dict_iterator(1, output_numpy=None)),
    "rows_by_one": lambda: _by_one(pairs().create_dict_iterator(2, output_numpy=True)),
    "row_of_1_0": lambda: pairs().create_dict_iterator(1, output_numpy=True).get_next(),
    "kinds": lambda: texts().output_types(),
    "dict": lambda: ds.GeneratorDataset([({"k": 1},)], ["d"]).output_shapes(),
    "mixed_batches": lambda: (pairs().batch(2) + pairs().batch(2)).use_sampler(
        ds.DistributedSampler(2, 0, shuffle=False)
    ),
}


@case.table({name: (make,) for name, make in STEPS.items()})
def step(make):
    return make()


class Raising(ds.Sampler):
    def __iter__(self):
        yield 1
        raise ValueError("no more")


class Words(ds.Sampler):
    def __iter__(self):
        yield "a"


class Three(ds.Sampler):
    def __iter__(self):
        yield from (0, 1, 3)


def _within(outer, inner):
    outer.add_child(inner)
    return outer


SAMPLED = {
    "raises": lambda: rows(_sampled(Raising())),
    "words": lambda: rows(_sampled(Words())),
    "outside": lambda: rows(_sampled(_within(ds.SubsetSampler([3]), ds.SequentialSampler(2, 2)))),
    "outside_own": lambda: rows(_sampled(_within(Three(), ds.SequentialSampler(0, 2)))),
    "offset": lambda: rows(_sampled(ds.DistributedSampler(3, 1, False, None, 5))),
    "weights": lambda: ds.WeightedRandomSampler((0.5, 0.5)),
    "shard": lambda: rows(ds.NumpySlicesDataset([1, 2], num_shards=2, shard_id=-1)),
    "none": lambda: rows(ds.NumpySlicesDataset(list(range(6)), num_samples=0)),
    "counts": lambda: [
        one.get_num_samples()
        for one in (Three(), Three(2), ds.SubsetSampler([1, 2]), ds.SubsetSampler([1, 2, 3], 2))
    ],
}


def _sampled(sampler):
    return ds.NumpySlicesDataset(list(range(4)), sampler=sampler)


@case.table({name: (make,) for name, make in SAMPLED.items()})
def sampled(make):
    ds.config.set_seed(3)
    return make()


@case
def mixed():
    """A RandomSampler of a concat keeps the order of each data set."""
    ds.config.set_seed(3)
    data = ds.NumpySlicesDataset(list(range(8)), shuffle=False)
    data = data + ds.NumpySlicesDataset(list(range(100, 108)), shuffle=False)
    data.use_sampler(ds.RandomSampler())
    (found,) = rows(data)
    found = [int(value) for (value,) in found]
    return [one for one in found if one < 50], [one for one in found if one > 50], len(data)
