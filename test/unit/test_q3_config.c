// Sizes by name and by config.json, and the weights that follow from them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "examples/qwen3/q3_config.h"
#include "q3_kit.h"

static void test_sizes_have_their_parameters(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t parameters;
    } known[] = {{"0.6B", 596049920},  {"1.7B", 1720574976},  {"4B", 4022468096},  {"4B-2507", 4022468096},
                 {"8B", 8190735360},   {"14B", 14768307200},  {"32B", 32762123264}};
    for (int i = 0; i < 7; ++i) {
        q3_config c;
        assert_string_equal(q3_config_name(i), known[i].name);
        assert_int_equal(q3_config_named(known[i].name, &c), TK_OK);
        assert_int_equal(q3_config_check(known[i].name, &c), TK_OK);
        assert_int_equal(q3_config_parameters(&c), known[i].parameters);
        assert_true(c.theta == (i == 3 ? 5e6 : 1e6));
    }
    q3_config c;
    assert_null(q3_config_name(7));
    assert_null(q3_config_name(-1));
    assert_int_equal(q3_config_named("5B", &c), TK_VALUE);
}

static void test_weights_have_their_names(void **state) {
    (void)state;
    q3_config c;
    assert_int_equal(q3_config_named("8B", &c), TK_OK);
    assert_int_equal(q3_weight_count(&c), 36 * 11 + 3);
    assert_string_equal(q3_weight_at(&c, 0).name, "model.embed_tokens.weight");
    assert_string_equal(q3_weight_at(&c, 1).name, "model.layers.0.input_layernorm.weight");
    assert_string_equal(q3_weight_at(&c, 36 * 11).name, "model.layers.35.mlp.down_proj.weight");
    assert_string_equal(q3_weight_at(&c, 36 * 11 + 1).name, "model.norm.weight");
    assert_string_equal(q3_weight_at(&c, 36 * 11 + 2).name, "lm_head.weight");
    const q3_weight k = q3_weight_of(&c, Q3_K, 12);
    assert_string_equal(k.name, "model.layers.12.self_attn.k_proj.weight");
    assert_int_equal(k.extent[0], 8 * 128);
    assert_int_equal(k.extent[1], 4096);
    assert_int_equal(q3_weight_of(&c, Q3_Q_NORM, 0).rank, 1);
    assert_int_equal(q3_weight_of(&c, Q3_Q_NORM, 0).extent[0], 128);
    for (int64_t i = 1; i <= 36 * 11; ++i) {
        const q3_weight w = q3_weight_at(&c, i);
        assert_int_equal(w.layer, (i - 1) / 11);
        assert_string_equal(w.name, q3_weight_of(&c, w.id, w.layer).name);
    }
}

#define SIZES                                                                                                       \
    "\"hidden_size\":64,\"intermediate_size\":96,\"num_hidden_layers\":2,\"num_attention_heads\":4,"                  \
    "\"num_key_value_heads\":2,\"head_dim\":128,\"vocab_size\":1000,\"max_position_embeddings\":512,"
#define REST "\"rms_norm_eps\":1e-06,\"tie_word_embeddings\":true"

static tk_status parse(const char *text, q3_config *c) { return q3_config_parse("c.json", text, strlen(text), c); }

static void test_theta_may_be_in_three_places(void **state) {
    (void)state;
    static const char *const good[] = {
        "{" SIZES REST ",\"rope_theta\":5000000,\"rope_scaling\":null}",
        "{" SIZES REST ",\"rope_parameters\":{\"rope_theta\":5e6,\"rope_type\":\"default\"}}",
        "{" SIZES REST ",\"rope_theta\":5000000.0,\"rope_scaling\":{\"rope_theta\":5000000,\"rope_type\":\"default\"}}",
    };
    for (int i = 0; i < 3; ++i) {
        q3_config c;
        assert_int_equal(parse(good[i], &c), TK_OK);
        assert_true(c.theta == 5e6 && c.eps == 1e-6 && c.tied);
        assert_int_equal(c.kv_heads, 2);
        assert_int_equal(c.eos_count, 0);
    }
}

static void test_bad_configs_are_refused(void **state) {
    (void)state;
    static const struct {
        tk_status status;
        const char *text, *why;
    } bad[] = {
        {TK_FILE, "", "no JSON"},
        {TK_FILE, "[]", "no object"},
        {TK_FILE, "{" REST ",\"rope_theta\":1e6}", "hidden_size is missing"},
        {TK_FILE, "{" SIZES "\"tie_word_embeddings\":true,\"rope_theta\":1e6}", "rms_norm_eps is missing"},
        {TK_FILE, "{" SIZES REST "}", "rope_theta is missing"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":\"1e6\"}", "rope_theta is no number"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"rope_parameters\":{\"rope_theta\":2e6}}", "rope_theta is 1e+06, and 2e+06"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"rope_scaling\":{\"rope_type\":\"yarn\"}}", "rope_type"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"rope_scaling\":{\"type\":\"yarn\"}}", "type"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"attention_bias\":true}", "attention_bias"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"use_sliding_window\":true}", "use_sliding_window"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"layer_types\":[\"sliding_attention\"]}", "layer_types"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"model_type\":\"llama\"}", "model_type"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"hidden_act\":\"gelu\"}", "hidden_act"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"quantization_config\":{}}", "quantization_config"},
        {TK_FILE, "{" SIZES SIZES REST ",\"rope_theta\":1e6}", "is there twice"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"rope_scaling\":{\"type\":\"default\",\"type\":\"yarn\"}}", "type is there twice"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":01e6}", "no JSON at line 1"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1000000.}", "no JSON at line 1"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"layer_types\":5}", "layer_types is no list"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"layer_types\":{\"0\":\"full_attention\"}}", "layer_types is no list"},
        {TK_UNSUPPORTED, "{" SIZES REST ",\"rope_theta\":1e6,\"layer_types\":[7]}", "layer_types"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"rope_scaling\":5}", "no object"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"eos_token_id\":{\"a\":1}}", "no integer"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"attention_bias\":0}", "neither true nor false"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"eos_token_id\":1000}", "eos_token_id"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"eos_token_id\":[1,2,3,4,5,6,7,8,9]}", "more than 8"},
        {TK_FILE, "{" SIZES REST ",\"rope_theta\":1e6,\"eos_token_id\":\"x\"}", "no integer"},
        {TK_VALUE, "{" SIZES REST ",\"rope_theta\":0}", "rope_theta is 0"},
        {TK_VALUE, "{" SIZES "\"rms_norm_eps\":0,\"rope_theta\":1e6}", "rms_norm_eps is 0"},
        {TK_FILE, "{" SIZES "\"rms_norm_eps\":1e-6,\"tie_word_embeddings\":1,\"rope_theta\":1e6}", "neither true nor false"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        q3_config c;
        assert_int_equal(parse(bad[i].text, &c), bad[i].status);
        if (!strstr(tk_message(), bad[i].why) || strncmp(tk_message(), "c.json: ", 8) != 0)
            fail_msg("\"%s\" does not say \"%s\"", tk_message(), bad[i].why);
    }
}

static void test_values_fit_each_other(void **state) {
    (void)state;
    q3_config good, c;
    assert_int_equal(q3_config_named("0.6B", &good), TK_OK);
#define REFUSED(change)                                  \
    c = good;                                            \
    change;                                              \
    assert_int_equal(q3_config_check("x", &c), TK_VALUE)
    REFUSED(c.hidden = 0);
    REFUSED(c.layers = -1);
    REFUSED(c.vocab = INT64_MAX);
    REFUSED(c.heads = 12);
    REFUSED(c.head_dim = 127);
    REFUSED(c.eps = 1.0 / 0.0);
    REFUSED(c.theta = 0.0 / 0.0);
    REFUSED(c.eos_count = 9);
    REFUSED(c.eos[0] = 151936);
#undef REFUSED
}

static void test_a_folder_is_written_and_read(void **state) {
    (void)state;
    kit_folder f = kit_folder_new();
    for (int i = 0; q3_config_name(i); ++i) {
        q3_config c, back;
        assert_int_equal(q3_config_named(q3_config_name(i), &c), TK_OK);
        c.eps = i ? 1e-6 : 1.0 / 3;
        assert_int_equal(q3_config_write(f.path, &c), TK_OK);
        assert_int_equal(q3_config_read(f.path, &back), TK_OK);
#define Q3_ONE(name, field, high) assert_int_equal(c.name, back.name);
        Q3_SIZES(Q3_ONE)
#undef Q3_ONE
        assert_true(c.eps == back.eps && c.theta == back.theta && c.tied == back.tied);
        assert_int_equal(back.eos_count, 2);
        assert_int_equal(back.eos[0], 151645);
    }
    kit_write(&f, "generation_config.json", "{\"eos_token_id\":7}", 18);
    q3_config c;
    assert_int_equal(q3_config_read(f.path, &c), TK_OK);
    assert_int_equal(c.eos_count, 1);
    assert_int_equal(c.eos[0], 7);
    kit_write(&f, "generation_config.json", "{\"eos_token_id\":[7,-1]}", 23);
    assert_int_equal(q3_config_read(f.path, &c), TK_FILE);
    assert_non_null(strstr(tk_message(), "generation_config.json: eos_token_id is -1"));
    unlink(kit_path(&f, "generation_config.json"));
    assert_int_equal(q3_config_read(f.path, &c), TK_OK);
    assert_int_equal(c.eos_count, 2); // config.json's
    for (uint64_t k = 1;; ++k) {
        q3_memory_fail_at(k);
        const tk_status status = q3_config_read(f.path, &c);
        if (status == TK_OK)
            break;
        assert_int_equal(status, TK_MEMORY);
    }
    q3_memory_fail_at(0);
    unlink(kit_path(&f, "config.json"));
    assert_int_equal(q3_config_read(f.path, &c), TK_FILE);
    kit_folder_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_have_their_parameters), cmocka_unit_test(test_weights_have_their_names),
        cmocka_unit_test(test_theta_may_be_in_three_places), cmocka_unit_test(test_bad_configs_are_refused),
        cmocka_unit_test(test_values_fit_each_other),       cmocka_unit_test(test_a_folder_is_written_and_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
