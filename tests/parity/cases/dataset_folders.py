"""Datasets in the folders they are distributed in, written here with a few rows each."""

import io
import json
import struct
import tempfile
import wave
from pathlib import Path

import mindspore.dataset as ds
import numpy as np
from PIL import Image
from scipy.io import savemat
from scipy.sparse import csc_matrix

from tests.parity.case import case

# In the order of the files, as by one worker.
PLAIN = {"shuffle": False, "num_parallel_workers": 1}


def sound(*samples, rate=8000):
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(rate)
        written.writeframes(struct.pack(f"<{len(samples)}h", *samples))
    return file.getvalue()


def idx(array):
    sizes = b"".join(struct.pack(">i", n) for n in array.shape)
    return bytes([0, 0, 8, array.ndim]) + sizes + array.astype(np.uint8).tobytes()


def ints(array):
    sizes = b"".join(struct.pack(">i", n) for n in np.shape(array))
    return bytes([0, 0, 12, np.ndim(array)]) + sizes + np.array(array, ">i4").tobytes()


def mat(**arrays):
    file = io.BytesIO()
    savemat(file, {name: np.array(value) for name, value in arrays.items()})
    return file.getvalue()


def files_of(path):
    """Bytes that begin as a JPEG does, and say which file they are of."""
    return {name: b"\xff\xd8\xff" + name.encode() for name in path.split()}


A, B = sound(0, 16384, -32768), sound(1, -1)
DIGITS = np.arange(2 * 784).reshape(2, 28, 28) % 251
BIG = np.arange(2 * 96 * 96 * 3) % 253
HR = "{0}_HR/0001.png {0}_HR/0002.png {0}_LR_bicubic/X2/0001x2.png {0}_LR_bicubic/X2/0002x2.png "
HR += "{0}_LR_mild/0001x4m.png {0}_LR_mild/0002x4m.png"
CITY = "aachen_000000_000019"
SHOT = f"leftImg8bit/train/aachen/{CITY}_leftImg8bit.png gtFine/train/aachen/{CITY}_gtFine_"
QUESTION = {"question": "who", "answers": [{"text": "he", "answer_start": 3}]}
NONE = {"question": "why", "answers": []}
SQUAD = {"data": [{"title": "t", "paragraphs": [{"context": "it is", "qas": [QUESTION, NONE]}]}]}
KITTI = "Car 0.50 1 -1.5 1.0 2.0 3.0 4.5 1.1 1.2 1.3 2.1 2.2 2.3 0.7\n"
FACES = "0--Parade/a.jpg\n2\n1 2 3 4 0 1 0 2 1 0 \n5 6 7 8 1 0 1 0 0 1 \n1--Hand/b.jpg\n1\n"
FACES += "9 8 7 6 0 0 0 0 0 0 \n"
MANIFEST = "".join(
    json.dumps({"source": f"{{root}}/{n}.jpg", "usage": u, "annotation": [{"name": c}]}) + "\n"
    for n, u, c in (("a", "TRAIN", "dog"), ("b", "TRAIN", "cat"), ("c", "EVAL", "cat"))
)
VOC = (
    "<annotation><size><width>9</width></size><object><name>{}</name><difficult>1</difficult>"
    "<truncated>0</truncated><bndbox><xmin>2</xmin><ymin>3</ymin><xmax>7</xmax><ymax>9</ymax>"
    "</bndbox></object></annotation>"
)
BOX = {"image_id": 4, "category_id": 7, "id": 1, "area": 6.0, "bbox": [1, 2, 3, 4], "iscrowd": 0}
BOX |= {"segmentation": [[1, 2, 3, 4, 5, 6], [7.5, 8, 9, 9]], "caption": "a cup"}
BOX |= {"keypoints": [1, 2, 2, 0, 0, 0], "num_keypoints": 1}
COCO = {
    "images": [{"id": 2, "file_name": "b.jpg"}, {"id": 4, "file_name": "a.jpg"}],
    "annotations": [
        {**BOX, "image_id": 2},
        BOX,
        {**BOX, "id": 2, "bbox": [0.5, 1, 2, 2], "category_id": 9, "segmentation": [[1, 1]]},
    ],
    "categories": [{"id": 7, "name": "cup", "supercategory": "x"}, {"id": 9, "name": "dog"}],
}

DE_EN = "texts/de/en/de-en"
FIVE = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"


def talk(part, language):
    lines = "".join(f'<seg id="{i}"> {part} {language} {i} </seg>\n' for i in (1, 2))
    return f'<?xml version="1.0"?>\n<mteval><refset><doc>\n{lines}</doc></refset></mteval>\n'


def sheet():
    file, numbers = io.BytesIO(), np.arange(1024 * 1024) // 64 % 251
    Image.fromarray(numbers.reshape(1024, 1024).astype(np.uint8)).save(file, "bmp")
    return file.getvalue()


def classes(number):
    planes = np.empty((20, 1), object)
    for i in range(20):
        planes[i, 0] = csc_matrix((np.arange(6).reshape(2, 3) % (i + 2) == number).astype(np.uint8))
    pixels = np.arange(6, dtype=np.uint8).reshape(2, 3) + number
    file = io.BytesIO()
    savemat(file, {"GTcls": {"Boundaries": planes, "Segmentation": pixels}})
    return file.getvalue()


TREES = {
    "CMUArctic": (
        {f"cmu_us_aew_arctic/wav/arctic_a000{i}.wav": sound(i, 9, rate=16000) for i in (1, 2)}
        | {
            "cmu_us_aew_arctic/etc/txt.done.data": '( arctic_a0001 "It, is." )\n'
            '( arctic_a0002 "b" )\n'
        }
    ),
    "Caltech256": files_of("001.ak47/001_0001.jpg 001.ak47/001_0002.jpg 002.flag/002_0001.jpg"),
    "CelebA": files_of("000001.jpg 000002.jpg 000003.jpg")
    | {
        "list_attr_celeba.txt": "3\nBald Smiling\n"
        + "".join(f"00000{i}.jpg  1 -1\n" for i in (1, 2, 3))
    }
    | {"list_eval_partition.txt": "000001.jpg 0\n000002.jpg 1\n000003.jpg 2\n"},
    "Cityscapes": files_of(SHOT + "instanceIds.png")
    | files_of(SHOT + "labelIds.png")
    | files_of(SHOT + "color.png")
    | {SHOT.split()[1] + "polygons.json": '{"a": 1}'},
    "DIV2K": files_of(HR.format("DIV2K_train")) | files_of(HR.format("DIV2K_valid")),
    "EMnist": {
        f"emnist-mnist-{u}-{k}": idx(v)
        for u in ("train", "test")
        for k, v in (("images-idx3-ubyte", DIGITS), ("labels-idx1-ubyte", np.array([3, 4])))
    },
    "EnWik9": {"enwik9": "<a>\n\n  b c\nd"},
    "Flickr": files_of("img/a.jpg img/b.jpg")
    | {"token.txt": "".join(f"{n}.jpg#{i}\t{n} is {i} .\n" for n in "ba" for i in range(5))},
    "SBU": files_of("sbu_images/m_2723_4_b.jpg sbu_images/m_9_a.jpg sbu_images/c.jpg")
    | {
        "SBU_captioned_photo_dataset_urls.txt": "http://static.flickr.com/2723/4_b.jpg\nhttp://static.flickr.com/1/no.jpg\n"
        "http://static.flickr.com/9/a.jpg\n",
        "SBU_captioned_photo_dataset_captions.txt": " one, \u00e9 \ntwo\nthree\n",
    },
    "Food101": files_of("images/pie/1.jpg images/pie/2.jpg images/bun/3.jpg")
    | {"meta/train.txt": "pie/2\nbun/3\n", "meta/test.txt": "pie/1\n"},
    "GTZAN": {f"{n}.wav": sound(1, rate=22050) for n in ("blues/blues.00000", "disco/disco.00001")},
    "KITTI": files_of("data_object_image_2/testing/image_2/000000.png")
    | files_of("data_object_image_2/training/image_2/000000.png")
    | {"data_object_label_2/training/label_2/000000.txt": KITTI + KITTI.replace("Car", "Van")},
    "LJSpeech": {"wavs/L1.wav": A, "wavs/L2.wav": B, "metadata.csv": "L1|One 1|One one\nL2|b|b\n"},
    "LSUN": files_of(
        "bedroom_train/1.jpg bedroom_val/2.jpg bridge_train/3.jpg bridge_val/4.jpg test/5.jpg"
    ),
    "LibriTTS": {"dev-clean/116/288045/116_288045_000003_000000.wav": sound(7, rate=24000)}
    | {"dev-clean/116/288045/116_288045.trans.tsv": "116_288045_000003_000000\tA 1\tA one\n"},
    "Multi30k": {
        f"{d}/{f}.{k}": f"{f} {k} one\n{f} {k} two\n"
        for d, f in (("training", "train"), ("validation", "val"), ("mmt16_task1_test", "test"))
        for k in ("en", "de")
    },
    "Omniglot": files_of("images_background/Greek/c1/2.png images_background/Greek/c1/1.png")
    | files_of("images_background/Latin/c2/1.png images_evaluation/Runes/c9/1.png"),
    "Places365": files_of("data_256_standard/a/x/1.jpg data_256_standard/b/2.jpg val_256/v1.jpg")
    | {
        "categories_places365.txt": "/a/x 0\n/b 1\n",
        "places365_train_standard.txt": "/a/x/1.jpg 0\n/b/2.jpg 1\n",
    }
    | {"places365_val.txt": "v1.jpg 1\n"},
    "RenderedSST2": files_of(
        " ".join(
            f"{u}/{k}/1.png" for u in ("train", "test", "valid") for k in ("positive", "negative")
        )
    ),
    "SQuAD": {f"{u}-v1.1.json": json.dumps(SQUAD) for u in ("train", "dev")},
    "STL10": {"train_X.bin": BIG.astype(np.uint8).tobytes(), "train_y.bin": b"\1\2"}
    | {"test_X.bin": BIG[:27648].astype(np.uint8).tobytes(), "test_y.bin": b"\7"}
    | {"unlabeled_X.bin": BIG[27648:].astype(np.uint8).tobytes()},
    "SUN397": files_of("a/abbey/sun_2.jpg a/abbey/sun_1.jpg a/house/outdoor/sun_3.jpg")
    | {"ClassName.txt": "/a/abbey\n/a/house/outdoor\n"},
    "Semeion": {
        "semeion.data": "".join(
            " ".join(f"{(i + j) % 2}.0000" for j in range(256))
            + " "
            + " ".join(str(int(i == k)) for k in range(10))
            + " \n"
            for i in (3, 0)
        )
    },
    "SpeechCommands": {"cat/b433_nohash_0.wav": A, "dog/c7_nohash_2.wav": B}
    | {"validation_list.txt": "dog/c7_nohash_2.wav\n", "testing_list.txt": ""},
    "USPS": {
        n: "".join(
            f"{k} " + " ".join(f"{j}:{((j + k) % 5 - 2) / 2}" for j in range(1, 257)) + " \n"
            for k in (3, 10)
        )
        for n in ("usps", "usps.t")
    },
    "WIDERFace": files_of("WIDER_train/images/0--Parade/a.jpg WIDER_train/images/1--Hand/b.jpg")
    | files_of(
        "WIDER_test/images/0--Parade/c.jpg WIDER_val/images/0--Parade/a.jpg "
        "WIDER_val/images/1--Hand/b.jpg"
    )
    | {f"wider_face_split/wider_face_{u}_bbx_gt.txt": FACES for u in ("train", "val")}
    | {"wider_face_split/wider_face_test_filelist.txt": "0--Parade/c.jpg\n"},
    "YesNo": {"1_0_1.wav": A, "0_0_1.wav": B},
    "Manifest": files_of("a.jpg b.jpg c.jpg") | {"list.manifest": MANIFEST},
    "VOC": files_of(
        "JPEGImages/a.jpg JPEGImages/b.jpg SegmentationClass/a.png SegmentationClass/b.png"
    )
    | {f"ImageSets/{k}/train.txt": "b\na\n" for k in ("Segmentation", "Main")}
    | {"Annotations/a.xml": VOC.format("dog"), "Annotations/b.xml": VOC.format("cat")},
    "Flowers102": files_of(
        " ".join(f"{n}_0000{i}.jpg" for n in ("jpg/image", "segmim/segmim") for i in (1, 2, 3))
    )
    | {
        "imagelabels.mat": mat(labels=[[5, 6, 7]]),
        "setid.mat": mat(trnid=[[2]], valid=[[1]], tstid=[[3]]),
    },
    "SVHN": {
        f"{u}_32x32.mat": mat(
            X=np.arange(6144).reshape(32, 32, 3, 2).astype(np.uint8), y=[[10], [3]]
        )
        for u in ("train", "test", "extra")
    },
    "Coco": files_of("a.jpg b.jpg") | {"boxes.json": json.dumps(COCO)},
    "QMnist": {f"qmnist-{u}-images-idx3-ubyte": idx(DIGITS) for u in ("train", "test")}
    | {
        f"qmnist-{u}-labels-idx2-int": ints([[k, *range(7)], [3] * 8])
        for u, k in (("train", 7), ("test", 5))
    }
    | {"xnist-images-idx3-ubyte": idx(DIGITS[:1]), "xnist-labels-idx2-int": ints([[4] * 8])},
    "LFW": files_of(
        " ".join(
            f"{folder}/{name}/{name}_000{i}.jpg"
            for folder in ("lfw", "lfw_funneled")
            for name in ("Abe", "Bo", "Cy")
            for i in (1, 2)
        )
    )
    | {
        "lfw-names.txt": "Abe\t2\nBo\t2\nCy\t2\n",
        "peopleDevTrain.txt": "2\nAbe\t2\nCy\t1\n",
        "peopleDevTest.txt": "1\nBo\t2\n",
        "people.txt": "2\n1\nAbe\t2\n1\nBo\t1\n",
        "pairsDevTrain.txt": "1\nAbe\t1\t2\nAbe\t1\tCy\t2\n",
        "pairsDevTest.txt": "1\nBo\t2\t1\nBo\t1\tAbe\t2\n",
        "pairs.txt": "2\t1\nAbe\t1\t2\nAbe\t1\tCy\t2\nBo\t2\t1\nBo\t1\tAbe\t2\n",
    },
    "IWSLT2016": {
        f"{DE_EN}/train.tags.de-en.{one}": f"<url>x</url>\n<title>T</title>\n{one} a\n{one} b\n"
        for one in ("de", "en")
    }
    | {
        f"{DE_EN}/IWSLT16.TED.{part}.de-en.{one}.xml": talk(part, one)
        for part in ("dev2010", "tst2013", "tst2014")
        for one in ("de", "en")
    },
    "IWSLT2017": {
        f"{FIVE}/train.tags.{pair}.{one}": f"<doc>\n{one} a\n{one} b\n</doc>\n"
        for pair in ("de-en", "it-nl")
        for one in pair.split("-")
    }
    | {
        f"{FIVE}/IWSLT17.TED.{part}.{pair}.{one}.xml": talk(part, one)
        for part in ("dev2010", "tst2010")
        for pair in ("de-en", "it-nl")
        for one in pair.split("-")
    },
    "PhotoTour": {
        "liberty/patches0000.bmp": sheet(),
        "liberty/info.txt": "".join(f"{i // 2} 0\n" for i in range(10)),
        "liberty/m50_100000_100000_0.txt": "0 0 0 1 0 0 0\n0 0 0 3 1 0 0\n4 2 0 9 4 0 0\n",
    },
    "SB": files_of("img/a.jpg img/b.jpg img/c.jpg")
    | {"train.txt": "a\nb\n", "val.txt": "c\n", "train_noval.txt": "b\n"}
    | {f"cls/{name}.mat": classes(i) for i, name in enumerate("abc")},
    "Caltech101": files_of(
        " ".join(
            f"101_ObjectCategories/{name}/image_000{i}.jpg"
            for name in ("Faces", "ant", "BACKGROUND_Google")
            for i in (1, 2)
        )
    )
    | {
        f"Annotations/{name}/annotation_000{i}.mat": mat(obj_contour=[[1.5, 2, i], [3, 4, 5]])
        for name in ("Faces_2", "ant")
        for i in (1, 2)
    },
}
# What stands after the folder, where it is not given as it is.
FURTHER = {"Coco": "boxes.json", "Manifest": "list.manifest", "Flickr": "token.txt"}

OPTIONS = {
    "CelebA": ({}, {"usage": "valid"}),
    "CMUArctic": ({}, {"name": "zzz"}),
    "Cityscapes": ({}, {"task": "polygon"}, {"task": "semantic"}, {"task": "no"}, {"usage": "val"}),
    "DIV2K": ({}, {"usage": "all"}, {"downgrade": "mild", "scale": 4}, {"scale": 5}, {"scale": 8}),
    "EMnist": ({"name": "mnist"}, {"name": "mnist", "usage": "test"}, {"name": "no"}),
    "Food101": ({}, {"usage": "test"}, {"usage": "no"}),
    "KITTI": ({}, {"usage": "test"}, {"usage": "no"}),
    "LSUN": ({}, {"usage": "train"}, {"usage": "valid", "classes": ["bridge"]}, {"usage": "test"}),
    "LibriTTS": ({}, {"usage": "dev-clean"}, {"usage": "no"}),
    "Manifest": ({}, {"usage": "eval"}, {"usage": "no"}, {"class_indexing": {"dog": 5}}),
    "Multi30k": (
        {},
        {"usage": "test"},
        {"usage": "valid", "language_pair": ["de", "en"]},
        {"language_pair": ["a", "b"]},
    ),
    "Omniglot": ({}, {"background": False}),
    "Places365": ({}, {"usage": "val"}, {"small": False}, {"usage": "no"}),
    "RenderedSST2": ({}, {"usage": "val"}, {"usage": "no"}),
    "SQuAD": ({}, {"usage": "dev"}, {"usage": "no"}),
    "STL10": (
        {"usage": "test"},
        {"usage": "unlabeled"},
        {"usage": "train+unlabeled", "sampler": [1, 3]},
        {"usage": "no"},
    ),
    "SpeechCommands": ({}, {"usage": "train"}, {"usage": "valid"}, {"usage": "no"}),
    "USPS": ({}, {"usage": "test"}, {"usage": "no"}),
    "WIDERFace": ({}, {"usage": "test"}, {"usage": "all"}, {"usage": "no"}),
    "VOC": (
        {},
        {"task": "Detection"},
        {"task": "Detection", "class_indexing": {"dog": 3}},
        {"task": "no"},
    ),
    "Coco": ({}, {"task": "Stuff"}, {"task": "no"}, {"extra_metadata": True})
    + ({"task": "Keypoint"}, {"task": "Captioning"}),
    "Flowers102": (
        {},
        {"usage": "valid"},
        {"task": "Segmentation", "usage": "train"},
        {"task": "no"},
    ),
    "IWSLT2016": (
        {},
        *({"usage": usage} for usage in ("train", "valid", "test", "no")),
        {"usage": "valid", "valid_set": "dev2010"},
        {"valid_set": "no"},
        {"usage": "train", "language_pair": ("de", "en")},
        {"usage": "train", "language_pair": ["en", "fr"]},
        {"language_pair": ["de", "fr"]},
        {"language_pair": ["en"]},
        {"language_pair": "de-en"},
    ),
    "IWSLT2017": (
        {},
        {"usage": "valid", "language_pair": ["it", "nl"]},
        {"usage": "test"},
        {"language_pair": ["en", "fr"]},
    ),
    "PhotoTour": tuple(
        {"name": "liberty", **more} for more in ({}, {"usage": "test"}, {"usage": "no"})
    )
    + ({"name": "no"}, {"name": "yosemite"}),
    "SB": (
        {},
        {"task": "Segmentation", "usage": "train"},
        {"usage": "train_noval"},
        {"task": "no"},
        {"usage": "no"},
    ),
    "SVHN": ({"usage": "train"}, {}, {"usage": "no"}),
    "QMnist": ({}, {"usage": "test"}, {"usage": "nist"}, {"usage": "train", "compat": False})
    + ({"usage": "test10k"}, {"usage": "test50k"}, {"usage": "no"}),
    "LFW": ({}, *({"usage": u} for u in ("train", "test", "10fold", "no")))
    + tuple({"task": "pairs", "usage": u} for u in (None, "train", "test", "10fold", "all"))
    + ({"image_set": "original"}, {"image_set": "no"}, {"task": "no"}),
    "Caltech101": ({}, *({"target_type": t} for t in ("category", "annotation", "all", "no"))),
}
ROWS = {
    f"{name}_{i}" if i else name: (name, options)
    for name in TREES
    for i, options in enumerate(OPTIONS.get(name, ({},)))
}


def shorter(value):
    return value if value.size < 300 else (value.shape, str(value.dtype), value.ravel()[::97])


@case.table(ROWS)
def rows(name, options):
    with tempfile.TemporaryDirectory() as root:
        for path, data in TREES[name].items():
            at = Path(root) / path
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(
                data if isinstance(data, bytes) else data.replace("{root}", root).encode()
            )
        further = [f"{root}/{FURTHER[name]}"] if name in FURTHER else []
        folder = [f"{root}/img" if name == "Flickr" else root]
        folder = folder[:0] if name == "Manifest" else folder
        data = getattr(ds, f"{name}Dataset")(*folder, *further, **options, **PLAIN)
        found = [
            {key: shorter(value) for key, value in row.items()}
            for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)
        ]
        return data.get_dataset_size(), data.get_col_names(), found


@case.table({f"{name}_no_folder": (name,) for name in TREES})
def no_folder(name):
    given = {"EMnist": "mnist", "PhotoTour": "liberty"}
    further = [given[name]] if name in given else ["/no"] if name in ("Coco", "Flickr") else []
    getattr(ds, f"{name}Dataset")("/no/such/folder", *further)


ORDERS = {
    "some": {"num_samples": 2, "shuffle": False},
    "part": {"num_shards": 2, "shard_id": 1, "shuffle": False},
    "part_alone": {"num_shards": 2},
    "chosen": {"sampler": ds.SubsetSampler([2, 0])},
    "of_classes": {"sampler": ds.PKSampler(1, shuffle=False)},
    "both": {"sampler": ds.SequentialSampler(), "shuffle": True},
    "samples": {"num_samples": "a"},
    "decode": {"decode": 3},
    "workers": {"num_parallel_workers": 0},
}


@case.table({f"order_{name}": (options,) for name, options in ORDERS.items()})
def order(options):
    with tempfile.TemporaryDirectory() as root:
        for path, data in TREES["Caltech256"].items():
            at = Path(root) / path
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(data)
        data = ds.Caltech256Dataset(root, **options)
        return [int(row[1]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@case
def decoded():
    image = Image.new("L", (4, 5), 128)
    with tempfile.TemporaryDirectory() as root:
        (Path(root) / "001.a").mkdir()
        image.save(f"{root}/001.a/1.jpg")
        data = ds.Caltech256Dataset(root, decode=True, **PLAIN)
        return list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


@case
def mappable():
    kinds = (ds.Caltech256Dataset, ds.GeneratorDataset, ds.NumpySlicesDataset, ds.MindDataset)
    return [issubclass(kind, ds.MappableDataset) for kind in kinds]


# Of rows of files in several ways, of others in random order or not.
SHUFFLED = ("Caltech256", "EnWik9", "IMDB", "Mnist", "USPS", "YesNo")
HOW = {"number": 3, "files": ds.Shuffle.FILES, "global": ds.Shuffle.GLOBAL}


@case.table({f"{name}_{how}": (name, kind) for name in SHUFFLED for how, kind in HOW.items()})
def shuffled(name, kind):
    with tempfile.TemporaryDirectory() as root:
        getattr(ds, f"{name}Dataset")(root, shuffle=kind)


@case
def of_images():
    kinds = (ds.Caltech256Dataset, ds.MnistDataset, ds.CelebADataset, ds.IMDBDataset)
    return [issubclass(kind, ds.VisionBaseDataset) for kind in kinds]


FAKE = {
    "plain": {},
    "flat": {"image_size": [5, 3, 1]},
    "large": {"image_size": (224, 224, 3), "num_images": 2},
    "seeded": {"base_seed": 2**31 - 3, "num_classes": 1000},
    "below": {"base_seed": -1},
    "pk": {"sampler": ds.PKSampler(1)},
    "shards": {"num_shards": 2, "shard_id": 1, "shuffle": False},
    "none": {"num_images": 0},
    "few_sizes": {"image_size": (2, 2)},
    "no_size": {"image_size": (2, 0, 3)},
    "part_size": {"image_size": (1.5, 2, 3)},
    "size": {"image_size": 3},
    "no_classes": {"num_classes": 0},
}


@case.table({name: (options,) for name, options in FAKE.items()})
def fake_images(options):
    ds.config.set_seed(3)
    given = {"num_images": 5, "image_size": (4, 3, 3), "num_classes": 4, **options}
    order = {} if {"sampler", "shuffle"} & options.keys() else {"shuffle": False}
    data = ds.FakeImageDataset(**given, **order)
    found = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    parts = [(str(image.dtype), image.shape, image[:4, :3], label) for image, label in found]
    return parts, data.get_dataset_size(), data.output_shapes()
