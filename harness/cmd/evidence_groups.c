#include "cmd/evidence_groups.h"

#include <stdlib.h>
#include <string.h>

/* More routes of a group are counted, not listed. */
enum { MAX_ROUTES_LISTED = 8, DETAILS_INDENT = 2 };

struct ndp_evidence_route {
    const char *text; /* arena */
    struct ndp_evidence_route *next;
};

typedef void printer(FILE *out, const struct ndp_divergence *divergence);

static void print_route(FILE *out, const struct ndp_divergence *divergence) {
    ndp_evidence_print_route(out, &divergence->route);
}

static void print_details(FILE *out, const struct ndp_divergence *divergence) {
    ndp_evidence_print_details(out, divergence, 0);
}

/* Gives the printed text in the arena, or NULL if out of memory. */
static const char *text_of(struct ndp_arena *arena, const struct ndp_divergence *divergence, printer *print) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    print(out, divergence);
    const bool is_whole = fclose(out) == 0;
    const char *copy = is_whole ? ndp_arena_copy(arena, text, size + 1) : NULL;
    free(text);
    return copy;
}

static struct ndp_evidence_group *find_group(struct ndp_evidence_groups *groups, const char *title,
                                             const char *details) {
    struct ndp_evidence_group *group = groups->first;
    while (group != NULL && (strcmp(group->title, title) != 0 || strcmp(group->details, details) != 0))
        group = group->next;
    return group;
}

static struct ndp_evidence_group *add_group(struct ndp_evidence_groups *groups, const char *title,
                                            const char *details) {
    struct ndp_evidence_group *group = NDP_ARENA_NEW(groups->arena, struct ndp_evidence_group);
    if (group == NULL) return NULL;
    *group = (struct ndp_evidence_group){.title = title, .details = details};
    *(groups->last != NULL ? &groups->last->next : &groups->first) = group;
    groups->last = group;
    return group;
}

enum ndp_status ndp_evidence_groups_add(struct ndp_evidence_groups *groups, const struct ndp_divergence *divergence) {
    const char *title = text_of(groups->arena, divergence, ndp_evidence_print_title);
    const char *details = text_of(groups->arena, divergence, print_details);
    const char *place = text_of(groups->arena, divergence, print_route);
    if (title == NULL || details == NULL || place == NULL) return NDP_NOMEM;
    struct ndp_evidence_group *group = find_group(groups, title, details);
    if (group == NULL) group = add_group(groups, title, details);
    struct ndp_evidence_route *route = NDP_ARENA_NEW(groups->arena, struct ndp_evidence_route);
    if (group == NULL || route == NULL) return NDP_NOMEM;
    *route = (struct ndp_evidence_route){.text = place};
    *(group->last_route != NULL ? &group->last_route->next : &group->routes) = route;
    group->last_route = route;
    group->route_count++;
    return NDP_OK;
}

/* Prints every line of the text with the indent. */
static void print_indented(FILE *out, const char *text, int indent) {
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        fprintf(out, "%*s%.*s\n", indent, "", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_group(FILE *out, const struct ndp_evidence_group *group, int indent) {
    const struct ndp_evidence_route *route = group->routes;
    fprintf(out, "%*s%s on %s\n", indent, "", group->title, route->text);
    uint32_t listed = 1;
    for (route = route->next; route != NULL && listed < MAX_ROUTES_LISTED; route = route->next, listed++)
        fprintf(out, "%*salso on %s\n", indent + DETAILS_INDENT, "", route->text);
    if (route != NULL)
        fprintf(out, "%*sand on %u more routes\n", indent + DETAILS_INDENT, "",
                (unsigned)(group->route_count - listed));
    print_indented(out, group->details, indent + DETAILS_INDENT);
}

void ndp_evidence_groups_print(FILE *out, const struct ndp_evidence_groups *groups, int indent) {
    for (const struct ndp_evidence_group *group = groups->first; group != NULL; group = group->next)
        print_group(out, group, indent);
}
