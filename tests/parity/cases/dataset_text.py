"""``mindspore.dataset.text``: vocabularies, and what is done to texts and their numbers."""

import contextlib
import tempfile
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.text as text
import numpy as np

from tests.parity.case import case
from tests.parity.cases.dataset_files import folder

LINE = "Welcome to Beijing! 你好 北京,  don't A-b 12.5"
WORDS = np.array(["a", "b", "c"])


def pieces():
    return text.Vocab.from_list(["wel", "##come", "to", "bei", "##jing", "!", "[UNK]", "你", "好"])


def letters():
    return text.Vocab.from_list(["a", "b", "c"], special_tokens=["<unk>"])


MADE = {
    "whitespace": (lambda: text.WhitespaceTokenizer(), LINE),
    "whitespace_kinds": (lambda: text.WhitespaceTokenizer(), "  a\u3000b\u00a0c\td\n"),
    "whitespace_offsets": (lambda: text.WhitespaceTokenizer(True), LINE),
    "whitespace_empty": (lambda: text.WhitespaceTokenizer(), "  "),
    "whitespace_array": (lambda: text.WhitespaceTokenizer(), WORDS),
    "whitespace_number": (lambda: text.WhitespaceTokenizer(), 3),
    "letters": (lambda: text.UnicodeCharTokenizer(), "ab 你"),
    "letters_offsets": (lambda: text.UnicodeCharTokenizer(True), "ab 你"),
    "letters_none": (lambda: text.UnicodeCharTokenizer(), ""),
    "scripts": (lambda: text.UnicodeScriptTokenizer(), LINE),
    "scripts_blanks": (lambda: text.UnicodeScriptTokenizer(True), LINE),
    "scripts_many": (
        lambda: text.UnicodeScriptTokenizer(False, True),
        "ab你 カたé1²_\u03b1, \u0431",
    ),
    "scripts_wide": (lambda: text.UnicodeScriptTokenizer(), "\uff21İHello \uff71ア"),
    "scripts_marks": (lambda: text.UnicodeScriptTokenizer(), "한글abce\u0301 x"),
    "basic": (lambda: text.BasicTokenizer(), LINE),
    "basic_lower": (lambda: text.BasicTokenizer(True), "Héllo A-b\tC  d 你好"),
    "basic_offsets": (lambda: text.BasicTokenizer(with_offsets=True), "a 你!b"),
    "basic_blanks": (lambda: text.BasicTokenizer(False, True), "a  b\tc\n你 !"),
    "basic_form": (lambda: text.BasicTokenizer(False, False, text.NormalizeForm.NFKC), "ﬁ é"),
    "basic_unused": (lambda: text.BasicTokenizer(), "[CLS] Ab [unused1] [X] [unused]"),
    "basic_unused_split": (lambda: text.BasicTokenizer(preserve_unused_token=False), "[CLS] Ab"),
    "basic_unused_lower": (lambda: text.BasicTokenizer(True), "Hello [SEP] Ab"),
    "basic_signs": (lambda: text.BasicTokenizer(), "a$b^c~d`e|f<g…h—i€j"),
    "basic_control": (lambda: text.BasicTokenizer(), "a\x07b c\u200bd"),
    "basic_control_lower": (lambda: text.BasicTokenizer(True), "a\x07b c\u200bd"),
    "fold": (lambda: text.CaseFold(), "Welcome TO ß"),
    "fold_forms": (lambda: text.CaseFold(), "ﬁ a\u200bb Ⅷ é"),
    "fold_array": (lambda: text.CaseFold(), np.array(["Ab", "CD"])),
    "fold_number": (lambda: text.CaseFold(), 3),
    "wikipedia": (
        lambda: text.FilterWikipediaXML(),
        "Hello &amp; <b>x</b> [[a|B1]]\n  é!c\n\nd 20",
    ),
    "wikipedia_redirect": (lambda: text.FilterWikipediaXML(), "#REDIRECT [[foo]]"),
    "wikipedia_none": (lambda: text.FilterWikipediaXML(), "é"),
    "wikipedia_number": (lambda: text.FilterWikipediaXML(), 3),
    "form": (lambda: text.NormalizeUTF8(), "ḍ̇ﬁ"),
    "form_nfc": (lambda: text.NormalizeUTF8(text.NormalizeForm.NFC), "ḍ̇ﬁ"),
    "replace": (lambda: text.RegexReplace("on", "of"), "onetwoonetwo"),
    "replace_first": (lambda: text.RegexReplace("on", "of", False), "onetwoonetwo"),
    "replace_groups": (lambda: text.RegexReplace("(o)(n)", "$2\\1"), "onetwoonetwo"),
    "replace_no_pattern": (lambda: text.RegexReplace("(", "b"), "a"),
    "regex": (lambda: text.RegexTokenizer(r"\s+"), "Welcome To BeiJing"),
    "regex_keep": (lambda: text.RegexTokenizer("[,;]", ";", True), "a,b;c,,d;"),
    "words": (lambda: text.WordpieceTokenizer(pieces()), np.array(["welcome", "to", "xx"])),
    "words_offsets": (
        lambda: text.WordpieceTokenizer(pieces(), with_offsets=True),
        np.array(["welcome", "to", "xx"]),
    ),
    "words_known": (
        lambda: text.WordpieceTokenizer(pieces(), unknown_token=""),
        np.array(["welcomex", "to"]),
    ),
    "words_long": (lambda: text.WordpieceTokenizer(pieces(), "##", 3), np.array(["welcome", "to"])),
    "bert": (lambda: text.BertTokenizer(pieces(), lower_case=True), "Welcome to Beijing! 你好"),
    "bert_offsets": (
        lambda: text.BertTokenizer(pieces(), lower_case=True, with_offsets=True),
        "Welcome to! 你好",
    ),
    "bert_none": (lambda: text.BertTokenizer(pieces()), ""),
    "bert_blank": (lambda: text.BertTokenizer(pieces(), with_offsets=True), "  "),
    "words_empty": (lambda: text.WordpieceTokenizer(pieces()), np.array([""])),
    "words_some_empty": (lambda: text.WordpieceTokenizer(pieces()), np.array(["", "to", ""])),
    "words_rows": (lambda: text.WordpieceTokenizer(pieces()), np.array([["to"], ["to"]])),
    "function": (lambda: text.PythonTokenizer(lambda line: line.split()), np.array("a b")),
    "function_text": (lambda: text.PythonTokenizer(lambda line: line.split()), "a b"),
    "lookup": (lambda: text.Lookup(letters()), np.array([["a", "c"]])),
    "lookup_one": (lambda: text.Lookup(letters()), "a"),
    "lookup_absent": (lambda: text.Lookup(letters()), "q"),
    "lookup_other": (lambda: text.Lookup(letters(), "<unk>", ms.int64), np.array(["q", "a"])),
    "lookup_no_other": (lambda: text.Lookup(letters(), "qq"), "a"),
    "ngram": (lambda: text.Ngram(2), WORDS),
    "ngram_pad": (lambda: text.Ngram([2, 3], ("_", 2), ("_", 2), "-"), WORDS),
    "ngram_long": (lambda: text.Ngram(4), WORDS),
    "ngram_rank": (lambda: text.Ngram(2), WORDS[None]),
    "window": (lambda: text.SlidingWindow(2), WORDS),
    "window_long": (lambda: text.SlidingWindow(5), np.array([1, 2, 3])),
    "window_axis": (lambda: text.SlidingWindow(2, 1), np.array([1, 2, 3])),
    "number": (lambda: text.ToNumber(ms.int32), np.array(["1", "-2"])),
    "number_float": (lambda: text.ToNumber(ms.float32), np.array(["1.5", "1e3"])),
    "number_cut": (lambda: text.ToNumber(ms.int32), np.array(["1.5"])),
    "number_one": (lambda: text.ToNumber(ms.int8), np.array("12")),
    "number_none": (lambda: text.ToNumber(ms.int8), np.array("x")),
    "number_large": (lambda: text.ToNumber(ms.int8), np.array("300")),
    "number_negative": (lambda: text.ToNumber(ms.uint8), np.array("-1")),
    "number_of_number": (lambda: text.ToNumber(ms.int32), np.array([1])),
    "number_hexadecimal": (lambda: text.ToNumber(ms.float32), np.array(["0x10", "1_0", " .5x"])),
    "number_nan": (lambda: text.ToNumber(ms.float32), np.array(["nan", "+5"])),
    "number_infinite": (lambda: text.ToNumber(ms.float32), np.array(["inf"])),
    "number_point": (lambda: text.ToNumber(ms.int32), np.array([".5"])),
    "truncate": (lambda: text.Truncate(2), WORDS),
    "truncate_rows": (lambda: text.Truncate(2), np.array([[1, 2, 3]])),
    "token": (lambda: text.AddToken("TT"), WORDS),
    "token_last": (lambda: text.AddToken("T", False), np.array([["a", "b"], ["c", "d"]])),
}


@case.table(MADE)
def transform(make, value):
    return make()(value)


WRONG = {
    "offsets": lambda: text.WhitespaceTokenizer(3),
    "pattern": lambda: text.RegexReplace(3, "a"),
    "ngram": lambda: text.Ngram("a"),
    "ngram_zero": lambda: text.Ngram(0),
    "window": lambda: text.SlidingWindow("a"),
    "truncate": lambda: text.Truncate("a"),
    "truncate_negative": lambda: text.Truncate(-1),
    "number": lambda: text.ToNumber(3),
    "number_bool": lambda: text.ToNumber(ms.bool_),
    "number_text": lambda: text.ToNumber(ms.string),
    "group": lambda: text.RegexReplace(r"\s", "$1")(np.array("a b")),
    "function": lambda: text.PythonTokenizer(3),
    "token": lambda: text.AddToken(3),
    "lookup": lambda: text.Lookup(3),
    "form": lambda: text.NormalizeUTF8("NFC"),
    "bytes": lambda: text.to_bytes(np.array([1])),
    "str": lambda: text.to_str("a"),
    "pair": lambda: text.TruncateSequencePair(-1)(np.arange(2), np.arange(2)),
    "ids": lambda: letters().tokens_to_ids(["a", 3]),
    "lookup_text": lambda: text.Lookup(letters(), data_type=ms.string)("a"),
    "range": lambda: text.Vocab.from_dataset(listed(), ["x"], (3, 1)),
    "top": lambda: text.Vocab.from_dataset(listed(), ["x"], None, True),
}


@case.table({name: (make,) for name, make in WRONG.items()})
def wrong(make):
    make()


@case.table({"3_3_4": (3, 3, 4), "4_2_5": (4, 2, 5), "2_4_3": (2, 4, 3), "3_3_5": (3, 3, 5)})
def pair(one, other, most):
    return text.TruncateSequencePair(most)(np.arange(one), np.arange(other))


@case
def pair_of_one():
    return text.TruncateSequencePair(3)(np.arange(4))


@case
def encoded():
    return text.to_bytes(np.array(["a", "é"])), text.to_str(np.array([b"a", b"b"]))


def listed():
    rows = {"x": list("bacbcbdd")}
    return ds.NumpySlicesDataset(rows, shuffle=False)


def file_of(folder):
    path = Path(folder) / "words.txt"
    path.write_text("x,1\ny,2\nz,3\n")
    return str(path)


VOCABS = {
    "list": lambda at: text.Vocab.from_list(["a", "b"], ["s"], False),
    "list_first": lambda at: letters(),
    "list_twice": lambda at: text.Vocab.from_list(["a", "a"]),
    "list_special_twice": lambda at: text.Vocab.from_list(["a"], special_tokens=["a"]),
    "list_number": lambda at: text.Vocab.from_list(3),
    "dict": lambda at: text.Vocab.from_dict({"a": 3, "b": 2}),
    "dict_negative": lambda at: text.Vocab.from_dict({"a": -3}),
    "file": lambda at: text.Vocab.from_file(file_of(at)),
    "file_parts": lambda at: text.Vocab.from_file(file_of(at), ",", None, ["<p>"], True),
    "file_some": lambda at: text.Vocab.from_file(file_of(at), ",", 2, ["<p>"], False),
    "file_absent": lambda at: text.Vocab.from_file(str(Path(at) / "nothing")),
    "data": lambda at: text.Vocab.from_dataset(listed(), "x"),
    "data_top": lambda at: text.Vocab.from_dataset(listed(), "x", (2, None), 2, ["<p>"], True),
    "data_rare": lambda at: text.Vocab.from_dataset(
        listed(), None, (None, 2), None, ["<p>"], False
    ),
    "data_column": lambda at: text.Vocab.from_dataset(listed(), "y"),
    "data_range": lambda at: text.Vocab.from_dataset(listed(), "x", freq_range=3),
    "data_built": lambda at: listed().build_vocab(["x"], (2, None), 2, ["<p>"], True),
    "data_none": lambda at: text.Vocab.from_dataset(listed(), "x", top_k=-1),
}


@case.table({name: (make,) for name, make in VOCABS.items()})
def vocab(make):
    with tempfile.TemporaryDirectory() as folder:
        return dict(sorted(make(folder).vocab().items()))


ASKED = {
    "word": lambda own: own.tokens_to_ids("b"),
    "words": lambda own: own.tokens_to_ids(["b", "zz"]),
    "array": lambda own: own.tokens_to_ids(np.array(["b", "a"])),
    "one_of_list": lambda own: own.tokens_to_ids(["a"]),
    "no_word": lambda own: own.tokens_to_ids(3),
    "id": lambda own: own.ids_to_tokens(1),
    "ids": lambda own: own.ids_to_tokens([0, 1]),
    "large": lambda own: own.ids_to_tokens(9),
    "negative": lambda own: own.ids_to_tokens(-1),
    "no_id": lambda own: own.ids_to_tokens("a"),
}


@case.table({name: (ask,) for name, ask in ASKED.items()})
def ask(ask):
    return ask(letters())


VECTORS = {
    "plain": ("Vectors", "vec.txt", "", {}),
    "head": ("Vectors", "vec.txt", "2 2\n", {}),
    "some": ("Vectors", "vec.txt", "", {"max_vectors": 1}),
    "fast": ("FastText", "a.vec", "2 2\n", {}),
    "fast_name": ("FastText", "a.txt", "", {}),
    "glove": ("GloVe", "glove.6B.50d.txt", "", {}),
    "glove_name": ("GloVe", "vec.txt", "", {}),
    "grams": ("CharNGram", "vec.txt", "", {}),
}


@contextlib.contextmanager
def vectors_of(kind, name, head, options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        grams = "2gram-th 0.5 1\n3gram-#BEGIN#ca 2 3\n2gram-#BEGIN#t 1 0\n"
        rest = grams if kind == "CharNGram" else "the 0.1 0.2\ncat 0.3 0.4\n"
        path.write_text(head + rest)
        yield getattr(text, kind).from_file(str(path), **options)


@case.table(VECTORS)
def vectors(kind, name, head, options):
    with vectors_of(kind, name, head, options) as made:
        return text.ToVectors(made)(np.array(["the", "cat", "dog"]))


UNKNOWN = {"given": ([9.0, 8.0], False), "lower": ([9.0, 8.0], True), "short": ([9.0], True)}


@case.table(UNKNOWN)
def vectors_unknown(init, lower):
    with vectors_of("Vectors", "vec.txt", "", {}) as made:
        return text.ToVectors(made, init, lower)(np.array(["THE", "cat", "dog"]))


@case
def pipeline():
    lines = ds.NumpySlicesDataset({"x": ["a b", "b c"]}, shuffle=False)
    words = lines.map(text.WhitespaceTokenizer(), ["x"])
    ids = words.map([text.Lookup(text.Vocab.from_dataset(words)), text.Truncate(1)], ["x"])
    return [dict(row) for row in ids.create_dict_iterator(num_epochs=1, output_numpy=True)]


@case
def pipeline_offsets():
    lines = ds.NumpySlicesDataset({"x": ["a b", "b c"]}, shuffle=False)
    parts = lines.map(text.WhitespaceTokenizer(True), ["x"], ["x", "from", "to"])
    return [dict(row) for row in parts.create_dict_iterator(num_epochs=1, output_numpy=True)]


def split(line):
    return line.split()


FUNCTIONS = {
    "rows": (split, np.array([["a b"], ["c d"]])),
    "nothing": (split, np.array("")),
    "no_texts": (split, np.array([], str)),
    "bytes": (split, np.array(b"a b")),
    "array": (lambda line: np.array(line.split()), np.array("a b")),
    "numbers": (lambda line: [len(line), 1], np.array(["abc", "d"])),
    "text": (lambda line: line, np.array("a b")),
    "number": (len, np.array("a b")),
    "none": (print, np.array("a b")),
    "fails": (lambda line: 1 / 0, np.array("a b")),
}


@case.table(FUNCTIONS)
def split_by_a_function(function, given):
    return text.PythonTokenizer(function)(given)


@contextlib.contextmanager
def words_of(*lines):
    with tempfile.TemporaryDirectory() as root:
        (Path(root) / "words.txt").write_text("\n".join(lines) + "\n")
        yield str(Path(root) / "words.txt")


def _letters():
    return ds.NumpySlicesDataset({"x": ["a", "b", "a"]}, shuffle=False)


NOT_TAKEN = {
    "to_number": lambda: text.ToNumber(ms.int32)(np.array([], str)),
    "add_token": lambda: text.AddToken("x")(np.array([], str)),
    "special_word": lambda: text.Vocab.from_dataset(_letters(), special_tokens=["a"]),
    "special_twice": lambda: text.Vocab.from_dataset(_letters(), special_tokens=["z", "z"]),
}


@case.table({name: (make,) for name, make in NOT_TAKEN.items()})
def not_taken(make):
    return make()


@case.table({"words": (("a", "b", "a"), None), "special": (("a", "b"), ["a"])})
def twice_in_a_file(lines, special):
    with words_of(*lines) as path:
        return text.Vocab.from_file(path, special_tokens=special).vocab()


@case
def unknown_of_a_number():
    with vectors_of("Vectors", "vec.txt", "", {}) as made:
        return text.ToVectors(made, 3)


JIEBA_WORDS = (
    "今天 100,天气 80,今天天气 5,太好了 50,好 300,太 200,了 900,我们 500,一起 100,去 400,长江 90,"
    "长江大桥 40,南京 200,南京市 100,市长 150,市 80"
)
STATES = ("-0.26 -3.14e+100 -3.14e+100 -1.46", "-3.14e+100 -0.51 -0.91 -3.14e+100")
STATES += ("-0.58 -3.14e+100 -3.14e+100 -0.8", "-3.14e+100 -0.33 -1.26 -3.14e+100")
STATES += ("-0.72 -3.14e+100 -3.14e+100 -0.66",)
LETTERS = "今天气太好了我们一起去长江大桥南京市小明毕业于中国科学院男默女泪"
CHINESE = [
    "今天天气太好了我们一起去",
    "南京市长江大桥",
    "小明毕业于中国科学院\uff0c今天",
    "hello world 今天abc123天气3.14元a_b",
    "",
    "\uff0c。今天\t天气\n了",
    "男默女泪",
    "𠀀今天２０",
]


def jieba(root, **options):
    """Return a tokenizer of a few words, and of a model of pseudo-random numbers."""
    lines = "".join(f"{line} n\n" for line in JIEBA_WORDS.split(","))
    (root / "words").write_text(lines, encoding="utf-8")
    rows = [
        ",".join(
            f"{c}:{-4 - (i * 7919 + state * 104729) % 800 / 100}" for i, c in enumerate(LETTERS)
        )
        for state in range(4)
    ]
    (root / "model").write_text("#model\n" + "\n".join([*STATES, *rows]) + "\n", encoding="utf-8")
    return text.JiebaTokenizer(str(root / "model"), str(root / "words"), **options)


@case.table({name: (name,) for name in ("MIX", "MP", "HMM")})
def chinese(mode):
    with folder() as root:
        tokenizer = jieba(root, mode=text.JiebaMode[mode], with_offsets=True)
        return [tokenizer(one) for one in CHINESE]


@case
def chinese_with_words_added():
    with folder() as root:
        found = []
        (root / "more").write_text("男默女泪\n中国科学院 10\n\n江大桥 20000\n今天 a\n", "utf-8")
        for more in (("女泪", 3), ("男默",), ("",)):
            made = jieba(root, mode=text.JiebaMode.MP)
            made.add_word(*more)
            found.append([made(one) for one in CHINESE])
        for more in (str(root / "more"), {"男默女泪": 1, "于中": None}):
            made = jieba(root)
            made.add_dict(more)
            found.append([made(one) for one in CHINESE])
        return found


@case.table(
    {
        "no_file": (lambda root: text.JiebaTokenizer("none", "none"),),
        "path": (lambda root: text.JiebaTokenizer(3, "none"),),
        "mode": (lambda root: jieba(root, mode=1),),
        "offsets": (lambda root: jieba(root, with_offsets=1),),
        "frequency": (lambda root: jieba(root).add_word("a", -1),),
        "frequency_kind": (lambda root: jieba(root).add_word("a", "b"),),
        "dictionary": (lambda root: jieba(root).add_dict(3),),
        "no_dictionary": (lambda root: jieba(root).add_dict("none"),),
        "other_files": (
            lambda root: (
                jieba(root)
                and text.JiebaTokenizer(str(root / "words"), str(root / "model"))("今天")
            ),
        ),
        "several": (lambda root: jieba(root)(np.array(["今天", "a"])),),
        "number": (lambda root: jieba(root)(3),),
    }
)
def chinese_wrong(run):
    with folder() as root:
        return run(root)
