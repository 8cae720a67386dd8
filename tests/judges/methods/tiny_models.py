"""Small BERTs with random weights, saved as any model is: real files, real loading, nothing learned."""

from pathlib import Path
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
PUNCTUATION = ".,?!'[]-"
WORDS = (
    *("danube", "river", "song", "year", "city", "who", "which", "rain", "vienna", "beatles"),
    *("of", "in", "it", "was", "the"),
)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = [*SPECIAL, *LETTERS, *PUNCTUATION, *(f"##{letter}" for letter in LETTERS), *WORDS]


def save_encoder(folder: Path, **changes: Any) -> str:
    """Save an encoder of three layers and return its folder; torch has one thread from then on."""
    from transformers import BertModel

    return _save(folder, BertModel, **changes)


def save_classifier(folder: Path, *, labels: int, **changes: Any) -> str:
    """Save a classifier with so many labels and return its folder."""
    from transformers import BertForSequenceClassification

    return _save(folder, BertForSequenceClassification, num_labels=labels, **changes)


def _save(folder: Path, network: Any, **changes: Any) -> str:
    import torch
    from transformers import BertConfig, BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    BertTokenizer(vocab=str(vocabulary), model_max_length=64).save_pretrained(folder)
    settings = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 32,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 48,
        "max_position_embeddings": 64,
        # The usual 0.02 makes all tokens alike and all scores near 1.
        "initializer_range": 0.5,
    }
    torch.manual_seed(5)
    # Several tests run side by side: more threads than cores would wait for each other.
    torch.set_num_threads(1)
    network(BertConfig(**(settings | changes))).save_pretrained(folder)
    return str(folder)
