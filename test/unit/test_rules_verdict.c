// Verdicts: what leans on something unproved is unknown; the kernel takes the worst; reports are well-formed.
#include "rules_fixture.h"

static uint32_t add(fixture *f, tc_rule rule, tc_verdict v) {
    tc_obligation ob = tc_obligation_start(rule, (tc_loc){.line = 7}, "something holds");
    if (v == TC_PROVED)
        tc_verdict_proved(&ob, TC_RUNG_LINEAR, 5);
    if (v == TC_VIOLATED) {
        tc_counterexample *x = TC_NEW(f->a, tc_counterexample);
        x->fault.text = "write of 4 bytes";
        tc_verdict_violated(&ob, x);
    }
    tc_push(f->a, &f->r.obligations, ob);
    return (uint32_t)f->r.obligations.len - 1;
}

static tc_obligation *at(fixture *f, uint32_t i) {
    return &f->r.obligations.data[i];
}

FX_TEST(new_obligation_is_unknown) {
    (void)f;
    tc_obligation ob = tc_obligation_start(TC_RULE_TC2001, (tc_loc){0}, "x");
    assert_int_equal(ob.verdict, TC_UNKNOWN);
    assert_non_null(ob.reason);
}

FX_TEST(no_obligation_is_not_proved) {
    tc_verdict_settle(f->a, &f->r);
    assert_int_equal(f->r.verdict, TC_UNKNOWN);
}

FX_TEST(leaning_on_unknown_is_unknown) {
    uint32_t base = add(f, TC_RULE_TC2001, TC_UNKNOWN), mid = add(f, TC_RULE_TC1004, TC_PROVED),
             top = add(f, TC_RULE_TC1001, TC_PROVED);
    tc_depend(&f->cx, at(f, mid), base);
    tc_depend(&f->cx, at(f, top), mid);
    tc_verdict_settle(f->a, &f->r);
    assert_int_equal(at(f, mid)->verdict, TC_UNKNOWN);
    assert_int_equal(at(f, top)->verdict, TC_UNKNOWN);
}

FX_TEST(leaning_on_violated_is_unknown) {
    uint32_t base = add(f, TC_RULE_TC2001, TC_VIOLATED), top = add(f, TC_RULE_TC1001, TC_PROVED);
    tc_depend(&f->cx, at(f, top), base);
    tc_verdict_settle(f->a, &f->r);
    assert_int_equal(at(f, top)->verdict, TC_UNKNOWN);
    assert_int_equal(f->r.verdict, TC_VIOLATED);
}

FX_TEST(circle_of_proofs_stays_proved) {
    uint32_t a = add(f, TC_RULE_TC2001, TC_PROVED), b = add(f, TC_RULE_TC2001, TC_PROVED);
    tc_depend(&f->cx, at(f, a), b);
    tc_depend(&f->cx, at(f, b), a);
    tc_verdict_settle(f->a, &f->r);
    assert_int_equal(f->r.verdict, TC_PROVED);
}

FX_TEST(preconditions_are_handed_on) {
    uint32_t base = add(f, TC_RULE_TC1005, TC_PROVED), top = add(f, TC_RULE_TC1001, TC_PROVED);
    tc_fact one = {tc_eq(f->ts, f->gdy, tc_int(f->ts, 1)), "gridDim.y == 1", {0}};
    tc_verdict_proved_if(f->a, at(f, base), one);
    tc_depend(&f->cx, at(f, top), base);
    tc_verdict_settle(f->a, &f->r);
    assert_int_equal(at(f, top)->verdict, TC_PROVED_IF);
    assert_int_equal(f->r.verdict, TC_PROVED_IF);
    assert_int_equal(f->r.preconditions.len, 1);
}

FX_TEST(hidden_rules_hide_findings_not_dependencies) {
    uint32_t base = add(f, TC_RULE_TC2001, TC_UNKNOWN), top = add(f, TC_RULE_TC1001, TC_PROVED);
    at(f, base)->hidden = true;
    tc_depend(&f->cx, at(f, top), base);
    tc_verdict_settle(f->a, &f->r);
    assert_int_equal(at(f, top)->verdict, TC_UNKNOWN);
    assert_null(strstr(tc_report_kernel(f->a, &f->unit, &f->r), "\"rule\": \"TC2001\""));
}

FX_TEST(report_escapes_what_is_no_utf8) {
    f->kernel.name = "a\"b\\\xff\n";
    add(f, TC_RULE_TC2001, TC_PROVED);
    tc_verdict_settle(f->a, &f->r);
    const char *text = tc_report_kernel(f->a, &f->unit, &f->r);
    assert_non_null(strstr(text, "\"a\\\"b\\\\\\ufffd\\n\""));
}

FX_TEST(findings_are_sorted_and_told_once) {
    add(f, TC_RULE_TC2001, TC_VIOLATED);
    add(f, TC_RULE_TC2001, TC_VIOLATED);
    add(f, TC_RULE_TC1003, TC_UNKNOWN);
    at(f, 2)->loc.line = 3;
    tc_verdict_settle(f->a, &f->r);
    tc_findings out = {0};
    tc_tell_kernel(f->a, &f->options, &f->r, &out);
    assert_int_equal(out.len, 2);
    assert_string_equal(out.data[0].code, "TC9002");
    assert_int_equal(out.data[0].severity, TC_SEV_WARNING);
    assert_string_equal(out.data[1].code, "TC2001");
    assert_int_equal(out.data[1].severity, TC_SEV_ERROR);
}

FX_TEST(unknowns_can_be_errors_or_silent) {
    add(f, TC_RULE_TC1003, TC_UNKNOWN);
    tc_verdict_settle(f->a, &f->r);
    tc_findings out = {0};
    f->options.unknown = TC_UNKNOWN_IGNORE;
    tc_tell_kernel(f->a, &f->options, &f->r, &out);
    assert_int_equal(out.len, 0);
    f->options.unknown = TC_UNKNOWN_ERROR;
    tc_tell_kernel(f->a, &f->options, &f->r, &out);
    assert_int_equal(out.data[0].severity, TC_SEV_ERROR);
}

FX_TEST(every_rule_is_explained) {
    for (int r = 0; r < TC_RULE_COUNT; r++)
        assert_non_null(tc_explain(f->a, tc_rule_code((tc_rule)r)));
    assert_null(tc_explain(f->a, "TC0000"));
}

FX_TEST(summary_reads_well) {
    tc_summary s = {.kernels = 3, .proved = 2, .violated = 1};
    assert_string_equal(tc_summary_text(f->a, &s), "tilecheck: 3 kernels: 2 proved, 1 violated");
    s = (tc_summary){.kernels = 1, .unknown = 1};
    assert_string_equal(tc_summary_text(f->a, &s), "tilecheck: 1 kernel: 1 unknown");
    s = (tc_summary){0};
    assert_string_equal(tc_summary_text(f->a, &s), "tilecheck: no kernel checked");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_obligation_is_unknown),
        cmocka_unit_test(no_obligation_is_not_proved),
        cmocka_unit_test(leaning_on_unknown_is_unknown),
        cmocka_unit_test(leaning_on_violated_is_unknown),
        cmocka_unit_test(circle_of_proofs_stays_proved),
        cmocka_unit_test(preconditions_are_handed_on),
        cmocka_unit_test(hidden_rules_hide_findings_not_dependencies),
        cmocka_unit_test(report_escapes_what_is_no_utf8),
        cmocka_unit_test(findings_are_sorted_and_told_once),
        cmocka_unit_test(unknowns_can_be_errors_or_silent),
        cmocka_unit_test(every_rule_is_explained),
        cmocka_unit_test(summary_reads_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
