#include "base/suite.h"
#include "target/plugin.h"
#include "target/registry.h"

static void plugins_are_found_by_their_names(void **state) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    assert_true(count >= 1);
    for (uint32_t i = 0; i < count; i++) assert_ptr_equal(ndp_plugin_find(plugins[i]->name), plugins[i]);
    assert_null(plugins[count]);
    assert_null(ndp_plugin_find("no such plugin"));
    assert_null(ndp_plugin_find(""));
}

NDP_SUITE(registry_test, cmocka_unit_test(plugins_are_found_by_their_names));
