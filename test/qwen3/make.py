#!/usr/bin/env python3
"""Makes tokenizer.json, a small tokenizer in the form of Qwen3's, and cases.json, texts with the tokens that the PyPI package tokenizers
(0.23) gives them. usage: make.py FOLDER"""
import json
import os
import random
import sys
import unicodedata

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
           r"|\s*[\r\n]+|\s+(?!\S)|\s+")
TEXTS = [
    "The quick brown fox jumps over the lazy dog, and the dogs of the other house bark at the stranger in the street.",
    "A tensor is a pointer into memory with extents and strides; a kernel reads it in tiles, and writes what it has computed.",
    "I'm sure they'll say it's what we've done, don't you? I'd go. He's here; we're there; it isn't ours.",
    "int main(void)\n{\n    for (int i = 0; i < n; ++i)\n        x[i] += a * y[i];\n    return 0;\n}\n",
    "Äpfel, Öl und Übermut: die Straße führt über den Fluß.",
    "Les élèves étaient déjà là ; où ça ? Ça va, l'été.",
    "Это простой пример текста на русском языке.",
    "これは日本語の文章です。今日はいい天気ですね。",
    "我们今天去图书馆看书。你好，世界！",
    "안녕하세요, 세계! 오늘 날씨가 좋네요.",
    "مرحبا بالعالم",
    "नमस्ते दुनिया",
    "🙂🙃👩‍👩‍👧‍👦🇩🇪 🎉",
    "1234567890 3.14159 -1e-6",
    "\n\n\t\t  \r\n    ",
]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
PLAIN = ["<tool_call>", "</tool_call>", "<think>", "</think>"]


def tokenizer():
    t = Tokenizer(models.BPE())
    t.normalizer = normalizers.NFC()
    t.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), behavior="isolated", invert=False),
        pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)])
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    t.train_from_iterator(TEXTS * 3, trainers.BpeTrainer(vocab_size=800, initial_alphabet=alphabet, show_progress=False))
    t.add_tokens([AddedToken(s, special=True, normalized=False) for s in SPECIAL])
    t.add_tokens([AddedToken(s, special=False, normalized=False) for s in PLAIN])
    return t


def texts(r):
    """Bytes: whole texts, edges of the pattern, what is composed, what is no UTF-8, and mixtures."""
    yield from (s.encode() for s in TEXTS)
    spaces = [" ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\x0b", "\x85", "\u180e", "\u200b", "\x1c"]
    for s in spaces:
        yield (f"a{s}b {s}{s} c{s}").encode()
    for s in ["'s", "'S", "'\u017f", "'LL", "\u2019s", "'x", "'ſs"]:
        yield f"it{s} {s}".encode()
    yield from (unicodedata.normalize("NFD", s).encode() for s in TEXTS[4:10])
    edges = ["a\u0323\u0307 a\u0307\u0323 \u212b \u1112\u1161\u11ab \uf900", "e" + "\u0301\u0323" * 30 + "x", "a" * 300, "!" * 50 + "\n\n",
             "<|im_start|>user\nHello<|im_end|>\n<think>\n\n</think>", "<|im_<|im_end|><<think>>", "<|endoftext|>" * 3, "",
             "\uac00\u11a7 \u1100\u1161\u11a7 \u1100\u1161\u11a8 \u1100\u1161\u11a7\u0301x \u11a7"]
    yield from (s.encode() for s in edges)
    yield from [b"\xff\xfe ok", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x99 \xf0\x9f\x99\x82", b"\xc0\xafx", b"ab\x80cd", b"\xf4\x90\x80\x80"]
    for _ in range(35):
        words = [r.choice(r.choice(TEXTS + SPECIAL + PLAIN).split(" ")) + r.choice(["", " ", "\n", "12", "'s"]) for _ in range(r.randint(1, 5))]
        yield "".join(words).encode()


def main(folder):
    t = tokenizer()
    t.save(os.path.join(folder, "tokenizer.json"), pretty=False)
    cases = []
    for b in texts(random.Random(7)):
        s = b.decode("utf-8", "replace")
        t.encode_special_tokens = False
        ids = t.encode(s, add_special_tokens=False).ids
        t.encode_special_tokens = True
        cases.append({"hex": b.hex(), "ids": ids, "as_text": t.encode(s, add_special_tokens=False).ids,
                      "decoded": t.decode(ids, skip_special_tokens=False), "skipped": t.decode(ids, skip_special_tokens=True)})
    with open(os.path.join(folder, "cases.json"), "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")


main(sys.argv[1])
