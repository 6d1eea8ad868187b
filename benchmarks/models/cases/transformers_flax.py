"""Models in flax of transformers 4, the last versions that had them."""

import logging
import warnings

import jax.numpy as jnp
import transformers

from case import Case, cross_entropy, normal, tokens, training

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)
SMALL = {"vocab_size": 512, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "max_position_embeddings": 64}


def language(name, kind="ForCausalLM", rules=(), inputs=None, **config):
    """A training step of a model of language on its own tokens."""
    settings = getattr(transformers, f"{name}Config")(**{**SMALL, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, **config})
    model = getattr(transformers, f"Flax{name}{kind}")(settings, seed=0)
    ids = tokens(0, 4, 16, below=512)
    mask = jnp.ones((4, 16), jnp.int32).at[0, 12:].set(0)

    def loss(p, b):
        return cross_entropy(model(b["tokens"], attention_mask=b["mask"], params=p, **(inputs or {})).logits, b["tokens"])

    return training(loss, model.params, {"tokens": ids, "mask": mask}, rules=list(rules))


RULES = [{"match": "**/{q_proj,k_proj,v_proj,gate_proj,up_proj}/kernel", "style": "colwise(model)"},
         {"match": "**/{o_proj,down_proj}/kernel", "style": "rowwise(model)"}]


def bert():
    rules = [{"match": "**/self/{query,key,value}/kernel", "style": "colwise(model)"}, {"match": "**/attention/output/dense/kernel", "style": "rowwise(model)"},
             {"match": "**/intermediate/dense/kernel", "style": "colwise(model)"}]
    return language("Bert", "ForMaskedLM", rules)


def roberta():
    return language("Roberta", "ForMaskedLM", max_position_embeddings=66)


def albert():
    return language("Albert", "ForMaskedLM", embedding_size=32)


def electra():
    return language("Electra", "ForMaskedLM", embedding_size=32)


def distilbert():
    return language("DistilBert", "ForMaskedLM", dim=64, n_layers=2, n_heads=4, hidden_dim=128)


def roformer():
    return language("RoFormer", "ForMaskedLM", embedding_size=64)


def big_bird():
    return language("BigBird", "ForMaskedLM", attention_type="block_sparse", block_size=2, num_random_blocks=1)


def gpt2():
    return language("GPT2", "LMHeadModel", n_embd=64, n_layer=2, n_head=4, n_positions=64)


def gptj():
    return language("GPTJ", n_embd=64, n_layer=2, n_head=4, n_positions=64, rotary_dim=8)


def gpt_neo():
    return language("GPTNeo", num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=8)


def llama():
    return language("Llama", rules=RULES, num_key_value_heads=2)


def mistral():
    return language("Mistral", rules=RULES, num_key_value_heads=2, sliding_window=8)


def gemma():
    return language("Gemma", rules=RULES, num_key_value_heads=1, head_dim=16)


def opt():
    return language("OPT", ffn_dim=128, word_embed_proj_dim=64)


def bloom():
    return language("Bloom", n_layer=2, n_head=4)


def xglm():
    return language("XGLM", d_model=64, ffn_dim=128, num_layers=2, attention_heads=4)


def sequence_to_sequence(name, **config):
    settings = getattr(transformers, f"{name}Config")(vocab_size=512, pad_token_id=0, eos_token_id=1, decoder_start_token_id=2, **config)
    model = getattr(transformers, f"Flax{name}ForConditionalGeneration")(settings, seed=0)

    def loss(p, b):
        return cross_entropy(model(b["in"], decoder_input_ids=b["out"], params=p).logits, b["out"])

    return training(loss, model.params, {"in": tokens(0, 4, 16, below=512), "out": tokens(1, 4, 12, below=512)})


def t5():
    return sequence_to_sequence("T5", d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, feed_forward_proj="gated-gelu")


def longt5():
    return sequence_to_sequence("LongT5", d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, local_radius=3, encoder_attention_type="local")


SIDES = {f"{side}_{name}": value for side in ("encoder", "decoder") for name, value in {"layers": 2, "ffn_dim": 128, "attention_heads": 4}.items()}


def bart():
    return sequence_to_sequence("Bart", d_model=64, max_position_embeddings=64, **SIDES)


def pegasus():
    return sequence_to_sequence("Pegasus", d_model=64, max_position_embeddings=64, **SIDES)


def images(name, kind="ImageClassification", size=32, tolerance=1e-4, **config):
    settings = getattr(transformers, f"{name}Config")(**{"image_size": size, "num_labels": 16, **config})
    model = getattr(transformers, f"Flax{name}For{kind}")(settings, seed=0, input_shape=(1, size, size, 3))
    batch = {"image": normal(0, 4, 3, size, size), "label": tokens(1, 4, below=16)}
    if "batch_stats" in model.params:
        statistics = model.params["batch_stats"]
        loss = lambda p, b: cross_entropy(model(b["image"], params={"params": p, "batch_stats": statistics}).logits, b["label"])
        return training(loss, model.params["params"], batch, tolerance=tolerance)
    return training(lambda p, b: cross_entropy(model(b["image"], params=p).logits, b["label"]), model.params, batch, tolerance=tolerance)


TOWER = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "patch_size": 8}


def vit():
    return images("ViT", **TOWER)


def beit():
    return images("Beit", use_relative_position_bias=True, **TOWER)


def dinov2():
    return images("Dinov2", **{**TOWER, "mlp_ratio": 2})


def resnet():
    return images("ResNet", size=64, embedding_size=16, hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 1, 1])


def regnet():
    return images("RegNet", size=64, embedding_size=16, hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 1, 1], groups_width=8)


def clip():
    config = transformers.CLIPConfig(text_config={**SMALL, "eos_token_id": 2}, vision_config={**TOWER, "image_size": 32}, projection_dim=32)
    model = transformers.FlaxCLIPModel(config, seed=0, input_shape=((1, 16), (1, 32, 32, 3)))

    def loss(p, b):
        logits = model(b["tokens"], b["image"], params=p).logits_per_text
        return cross_entropy(logits, jnp.arange(len(logits)))

    return training(loss, model.params, {"tokens": tokens(0, 4, 16, below=512), "image": normal(1, 4, 3, 32, 32)})


def whisper():
    config = transformers.WhisperConfig(vocab_size=512, d_model=64, num_mel_bins=16, max_source_positions=32, max_target_positions=32, pad_token_id=0,
                                        bos_token_id=1, eos_token_id=2, decoder_start_token_id=3, **SIDES)
    model = transformers.FlaxWhisperForConditionalGeneration(config, seed=0, input_shape=(1, 16, 64))
    batch = {"sound": normal(0, 4, 16, 64), "tokens": tokens(1, 4, 12, below=512)}
    return training(lambda p, b: cross_entropy(model(b["sound"], b["tokens"], params=p).logits, b["tokens"]), model.params, batch)


def wav2vec2():
    config = transformers.Wav2Vec2Config(**{**SMALL, "vocab_size": 32}, conv_dim=(32, 32, 32), conv_kernel=(10, 3, 3), conv_stride=(5, 2, 2),
                                         num_feat_extract_layers=3, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4,
                                         feat_extract_norm="layer", do_stable_layer_norm=True)
    model = transformers.FlaxWav2Vec2ForCTC(config, seed=0, input_shape=(1, 800))
    return Case(lambda p, b: model(b["sound"], params=p).logits, (model.params, {"sound": normal(0, 4, 800)}))


CASES = [bert, roberta, albert, electra, distilbert, roformer, big_bird, gpt2, gptj, gpt_neo, llama, mistral, gemma, opt, bloom, xglm,
         t5, longt5, bart, pegasus, vit, beit, dinov2, resnet, regnet, clip, whisper, wav2vec2]
