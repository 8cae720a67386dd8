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


USER, REPLY, END = "<|user|>", "<|reply|>", "<|end|>"
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if message.role == 'system' and not knows_system %}"
    "{{ raise_exception('no system') }}{% endif %}"
    f" {USER} {{{{ message.content }}}} {END} "
    f"{{% endfor %}}{{% if add_generation_prompt %}} {REPLY} {{% endif %}}"
)


def save_writer(
    folder: Path, *, says: tuple[str, ...] = ("yes",), longest: int = 400, chat_template: str = CHAT_TEMPLATE
) -> str:
    """Save a Llama of two layers that replies with these words, and return its folder.

    Each token is a direction of its own, the layers add nothing, and the head names the word that follows;
    without a template the word "reply" takes the part of the sign before a reply.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    ids = _save_words(folder, says, longest=longest, chat_template=chat_template)
    config = LlamaConfig(
        vocab_size=len(ids),
        hidden_size=64,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=longest,
        tie_word_embeddings=False,
        bos_token_id=ids["<s>"],
        eos_token_id=ids[END],
    )
    torch.set_num_threads(1)
    network = LlamaForCausalLM(config)
    with torch.no_grad():
        network.model.embed_tokens.weight.copy_(torch.eye(*network.model.embed_tokens.weight.shape))
        for layer in network.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        network.lm_head.weight.zero_()
        for before, after in zip((REPLY, *says), (*says, END), strict=True):
            network.lm_head.weight[ids[after], ids[before]] = 1.0
        network.lm_head.weight[ids[says[0]], ids["reply"]] = 1.0
    # What a hub's models bring: it must not be followed.
    network.generation_config.do_sample = True
    network.generation_config.repetition_penalty = 5.0
    network.save_pretrained(folder)
    return str(folder)


def _save_words(folder: Path, says: tuple[str, ...], *, longest: int, chat_template: str) -> dict[str, int]:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    signs = ("[UNK]", "<s>", USER, REPLY, END)
    ids = {word: number for number, word in enumerate(dict.fromkeys([*signs, "reply", *says, "no", *WORDS]))}
    bare = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    bare.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bare,
        unk_token="[UNK]",
        eos_token=END,
        additional_special_tokens=[USER, REPLY],
        model_max_length=longest,
    )
    tokenizer.chat_template = chat_template or None
    tokenizer.save_pretrained(folder)
    return ids
