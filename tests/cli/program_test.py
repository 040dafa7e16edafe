"""The lines of NumPy and PyTorch that compute a trace, held to the trace: of every mechanism.

    program_test.py HEADLIGHT         ends with 77 where there is no NumPy: the test is then skipped
"""
import unittest

from trace_program import TraceProgram, mechanisms, run

try:
    import torch
except ImportError:
    torch = None

# Settings that change what is written: the other word of a choice, more than one head, padding, a drawn key.
VARIANTS = [
    ("multi_head", "heads=2", "causal=true", "projection_bias=true"),
    ("multi_head", "heads=1"),
    ("grouped_query", "heads=4", "kv_heads=2"),
    ("scaled_dot_product", "source.type=cross"),
    ("scaled_dot_product", "mask_value=-3", 'mask={"type": "causal"}', "mask_order=before_scale"),
    ("scaled_dot_product", "score.softcap=2", 'mask={"type": "causal"}', "mask_order=before_scale"),
    ("scaled_dot_product", "score.vector_norm=layer"),
    ("scaled_dot_product", "score.vector_norm=l2"),
    ("additive", "score.activation=relu", "score.bias=true"),
    ("rope", "position.scaling=yarn", "position.layout=interleaved"),
    ("alibi", "position.form=key_only"),
    ("kerple", "position.form=power"),
    ("kerple", "heads=2"),
    ("ntm", 'mask={"type": "causal"}'),
    ("entmax", "normalizer.alpha=1.25"),
    ("hard", "normalizer.mode=sample"),
    ("function_shares", "normalizer.function=stablemax"),
    ("function_shares", "normalizer.function=power", "normalizer.power=4", 'mask={"type": "causal"}'),
    ("distance_curves", "heads=1", "position.reach=2"),
    ("grid_rope", "position.layout=interleaved", "position.speeds=shared"),
    ("grid_bias", "position.form=continuous"),
    ("grid_bias", "position.form=released", "heads=1"),
    ("dynamic_bias", "position.columns=3", "position.norm=true", "position.activation=relu"),
    ("pope", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("wall", 'mask={"type": "none"}', 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("tupe", "position.first=false", "causal=true"),
    ("decomposed", "position.scaled=false", "position.columns=2"),
    ("rotary_values", "position.products=false", "position.layout=interleaved"),
    ("self_extend", 'mask={"type": "none"}', "position.window=2"),
    ("self_extend", "position.far=leaky", "position.window=1"),
    ("temperature_tuning", "position.length=2"),
    ("convolutional", "position.columns=2"),
    ("convolutional", "position.window=past", "position.size=2", 'mask={"type": "padding", "key_lengths": 3}'),
    ("graphormer", "position.graph=ring", "position.edges=[0, 2]", "heads=1"),
    ("gaussian_window", "score.form=density", "score.bells=2"),
    ("hyperbolic", "source.type=cross"),
    ("bilinear_pooling", "activation=relu"),
    ("linear_chain", "normalizer.coupling=-20", 'mask={"type": "padding", "key_lengths": 4}'),
    ("dependency_trees", "normalizer.root=-20"),
    ("dependency_trees", "source.type=cross"),
    ("forward_attention", "normalizer.temperature=0.5"),
    ("forward_attention", "normalizer.rule=stepwise", 'mask={"type": "padding", "key_lengths": 3}'),
    ("laser", "source.type=cross"),
    ("deltaformer", "algorithm.similarity=queries", "algorithm.strength=one"),
    ("rwkv6", "algorithm.decay=constant", "algorithm.scaled=true"),
    ("log_linear", "algorithm.forgets=false", "algorithm.discretize=true"),
    ("adaptive_span", "normalizer.span=-1"),
    ("shaped", "heads=2", 'mask={"type": "causal"}'),
    ("hstu", "algorithm.activated=false", "algorithm.length=16"),
    ("persistent_memory", "causal=true"),
    ("dynamic_convolution", "algorithm.window=centred", "algorithm.renormalized=true"),
    ("dynamic_convolution", "algorithm.kernel=lightweight", "algorithm.size=5"),
    ("local_linear", 'heads={"type": "multi", "heads": 2}', "projections=learned", 'mask={"type": "causal"}'),
    ("coda", "source.type=cross"),
    ("key_value_shift", "algorithm.value_shift=0.25"),
    ("lambda_layer", "source.type=cross", "algorithm.reach=1"),
    ("rwkv7", "algorithm.bonus=false", "algorithm.scaled=true"),
    ("delta_product", "algorithm.writes=3", "algorithm.forgets=false"),
    ("gated_delta_2", "algorithm.overshoot=true"),
    ("comba", "algorithm.asks=after"),
    ("longhorn", "algorithm.erasure=diagonal"),
    ("gsa", "algorithm.slots=1", 'mask={"type": "padding", "key_lengths": 3}'),
    ("abc", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("raven", "algorithm.active=1", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("precond_delta", "algorithm.forgets=true", 'mask={"type": "padding", "key_lengths": 3}'),
    ("gated_oja", "algorithm.forgets=true", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("gated_kalma", "algorithm.forgets=true", "algorithm.mixed=false", "algorithm.ridge=0.5"),
    ("s4d", "algorithm.gates=true", "algorithm.states=2", 'heads={"type": "multi", "heads": 2}',
     "projections=learned"),
    ("hyena", "algorithm.gates=false", "algorithm.bands=1", 'mask={"type": "padding", "key_lengths": 3}'),
    ("spatial_gating", "algorithm.norm=false", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}',
     "projections=learned", 'mask={"type": "causal"}'),
    ("attention_on_attention", "heads=2", "source=cross"),
    ("head_windows", "selection.reaches=[1, 2]", "causal=true"),
    ("hgrn2", "algorithm.lower_bound=0.5", "algorithm.scaled=true"),
    ("titans", "algorithm.momentum=false"),
    ("titans", "algorithm.forgets=false", "algorithm.scaled=false"),
    ("ttt", "algorithm.batch=2", "algorithm.mean=true"),
    ("fastformer", 'mask={"type": "padding", "key_lengths": 3}'),
    ("coordinate", "algorithm.columns=3", "algorithm.reduction=2"),
    ("triplet", "algorithm.spatial=false", "algorithm.kernel=5x5"),
    ("bam", "algorithm.dilation=2", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("selective_kernel", "algorithm.branches=3", "algorithm.activated=false"),
    ("group_enhance", "algorithm.groups=3"),
    ("polarized", "algorithm.arrangement=sequential"),
    ("outlook", "algorithm.kernel=1x1", "algorithm.scaled=false"),
    ("outlook", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("spatial_reduction", "algorithm.pooling=mean", "algorithm.norm=false"),
    ("spatial_reduction", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("contextual", "algorithm.softmax=true", "algorithm.fusion=sum"),
    ("contextual", "algorithm.kernel=1x1", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}',
     "projections=learned"),
    ("shuffle", "algorithm.groups=3"),
    ("shuffle", "algorithm.shuffle=false", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("attention_gate", "algorithm.ratio=1"),
    ("attention_gate", "algorithm.columns=3", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("tropical", "source.type=cross"),
    ("tropical", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "causal=true"),
    ("quantized_cache", "algorithm.bits=3", "algorithm.group=2", 'mask={"type": "padding", "key_lengths": 3}'),
    ("quantized_cache", "algorithm.keys=token", "source.type=cross"),
    ("permutation", "mask.stream=query"),
    ("clustered", "algorithm.exact_keys=2", 'mask={"type": "padding", "key_lengths": 3}'),
    ("clustered", "source.type=cross", "algorithm.clusters=2"),
    ("attention_pooling", "algorithm.block=true", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("attention_pooling", "source.type=cross", 'mask={"type": "padding", "key_lengths": 3}'),
    ("hopfield_pooling", "algorithm.steps=2", "algorithm.beta=0.5",
     'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("mean_query", "algorithm.query=mean"),
    ("mean_query", 'heads={"type": "multi_query", "heads": 2}', "projections=learned",
     'mask={"type": "padding", "key_lengths": 3}'),
    ("structured_embedding", "algorithm.rows=2", "algorithm.units=3"),
    ("gated_pooling", 'heads={"type": "multi", "heads": 2}', "projections=learned",
     'mask={"type": "padding", "key_lengths": 3}'),
    ("hierarchical_pooling", "first=1"),
    ("hierarchical_pooling", 'heads={"type": "multi", "heads": 2}', "projections=learned",
     'mask={"type": "padding", "key_lengths": 3}'),
    ("class_residual", "algorithm.sharpness=3", "algorithm.lambda=0.5"),
    ("class_residual", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("memory_hops", "algorithm.tying=layer_wise", "algorithm.scaled=true"),
    ("memory_hops", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("memory_tokens", "algorithm.tokens=1", 'mask={"type": "padding", "key_lengths": 3}'),
    ("memory_tokens", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("slot_attention", "algorithm.rounds=1", "algorithm.cell=false"),
    ("slot_attention", "algorithm.layer=false", "algorithm.norm=false", 'heads={"type": "multi", "heads": 2}',
     "projections=learned"),
    ("h_transformer", "algorithm.block=1", 'mask={"type": "padding", "key_lengths": 3}'),
    ("multiresolution", "algorithm.coarse=false", "algorithm.block=2"),
    ("multiresolution", "source.type=cross", "algorithm.refined=1"),
    ("yoso", "algorithm.normalized=false", "causal=true"),
    ("yoso", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("split_keys", "algorithm.parts=2", "causal=true"),
    ("split_keys", "source.type=cross"),
    ("informer", "normalizer.active=2", "causal=true"),
    ("eviction", "selection.policy=tova", "selection.budget=2"),
    ("eviction", "selection.policy=snapkv", "selection.prompt=3", "selection.budget=3"),
    ("smyrf", "selection.clusters=2", "selection.rounds=2"),
    ("deformable", "algorithm.points=1"),
    ("deformable", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("global_filter", "algorithm.columns=3"),
    ("global_filter", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("pyramid_split", "algorithm.groups=1", "algorithm.columns=3"),
    ("pyramid_split", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("danet", "algorithm.channels=unlike", "algorithm.residual=false"),
    ("danet", "algorithm.scaled=true", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}',
     "projections=learned"),
    ("triangle", "algorithm.node=ending"),
    ("triangle", "algorithm.columns=2", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}',
     "projections=learned"),
    ("multi_dimensional", "source.type=cross", "algorithm.bound=0.5"),
    ("multi_dimensional", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned",
     'mask={"type": "causal"}'),
    ("rela", "algorithm.gated=false", "source.type=cross"),
    ("rela", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned",
     'mask={"type": "causal"}'),
    ("row_norm", "normalizer.by=length", 'mask={"type": "causal"}'),
    ("row_norm", "normalizer.by=count"),
    ("muse", "algorithm.kernels=3", "algorithm.window=past", 'mask={"type": "causal"}'),
    ("muse", 'heads={"type": "grouped_query", "heads": 4, "kv_heads": 2}', "projections=learned"),
    ("row_norm", "normalizer.by=sum"),
    ("infini", "algorithm.update=linear", "algorithm.segment=3"),
    ("momentum_delta", "algorithm.balanced=false"),
    ("momentum_delta", "algorithm.momentum=false", "algorithm.forgets=false"),
    ("mamba", 'heads={"type": "multi", "heads": 2}', "projections=learned"),
    ("longnet", "heads=1", "algorithm.patterns=3", "causal=true"),
    ("landmark", "algorithm.block=2"),
    ("memorizing", "algorithm.segment=3", "algorithm.neighbours=1"),
    ("gau", "algorithm.length=3", 'heads={"type": "multi", "heads": 2}'),
    ("ufo", 'mask={"type": "padding", "key_lengths": 3}'),
    ("skyformer", "algorithm.landmarks=2", "algorithm.lambda=0.5"),
    ("simplicial", "algorithm.window=2", "source.type=cross"),
    ("dcmha", "heads=2", "algorithm.rank=1", "algorithm.sides=queries", "causal=true"),
    ("dropout", "normalizer.what=pairs"),
    ("dropout", "normalizer.what=keys", 'mask={"type": "causal"}'),
    ("tensor_product", "algorithm.factors=fixed", "causal=true"),
    ("tensor_product", "algorithm.factored_queries=false", "kv_heads=1"),
    ("differential_2", "heads=2", 'position={"type": "rope"}', "causal=true"),
    ("latent", "normalizer.type=sparsemax", "causal=true"),
    ("latent", "selection.type=indexer", "algorithm.absorbed=true", "causal=true"),
    ("differential", "normalizer.type=entmax", "causal=true"),
    ("native_sparse", "normalizer.type=off_by_one"),
    ("kv_cache", "algorithm.capacity=3", "position.type=alibi"),
    ("kv_cache", "algorithm.capacity=2", "normalizer.type=sparsemax", "position.type=t5"),
    ("head_mixture", "algorithm.shared=2", "algorithm.renormalized=true"),
    ("compositional", "kv_heads=4", "source.type=cross"),
    ("area", "algorithm.values=mean", "algorithm.widest=2", 'mask={"type": "causal"}'),
]


class Programs(TraceProgram):
    def test_every_mechanism_has_the_numbers_of_its_trace(self):
        ids = mechanisms()
        libraries = ["numpy", "torch"] if torch else ["numpy"]
        for name in ids:
            with self.subTest(name):
                self.held_to_the_trace([name, "--dimension", "16"], libraries)
        print(f"{len(ids)} mechanisms in {' and '.join(libraries)}")

    def test_settings_are_in_the_lines(self):
        for name, *settings in VARIANTS:
            with self.subTest(f"{name} {settings}"):
                assignments = [word for setting in settings for word in ("--set", setting)]
                self.held_to_the_trace([name, "--dimension", "8", *assignments], ["numpy"])

    def test_tokens_are_no_code(self):
        """Labels and names of files stand in no line; large tensors are read back to the bit."""
        done = run(self.folder, "multi_head", "--text", 'a """ \\ \' print(0)', "-o", "trace.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "trace.py").read_text(encoding="utf-8")
        self.assertNotIn("print(0)", text)
        self.assertIn("base64", text)
        self.held_to_the_trace(["multi_head", "--text", "a b"], ["numpy"])

    def test_words_that_do_not_fit_are_refused(self):
        for arguments, expected in [(["dot", "--code", "torch", "-o", "t.json"], "-o FILE.py"),
                                    (["dot", "--code", "jax", "-o", "t.py"], "numpy"),
                                    (["dot", "-o", "t.ods"], ".py or .formula")]:
            done = run(self.folder, *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
