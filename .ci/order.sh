#!/bin/sh
# Fails if a folder of harness/ includes from a later folder (tests may use any folder), if a folder of fuzzers/ includes
# from a folder that it may not use, if the public plugin header includes another header, or if two files share a name.
cd "$(dirname "$0")/.." || exit 1
find harness -name '*.[ch]' | sort | xargs awk -v order='base model describe generate codec target planted property engine report cmd' '
    BEGIN { n = split(order, folders, " "); for (i = 1; i <= n; i++) rank[folders[i]] = i }
    function wrong(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }
    FNR == 1 { split(FILENAME, path, "/"); mine = path[2] }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\""); from = quoted[2]; sub(/\/.*/, "", from)
        if (FILENAME == "harness/target/plugin.h") wrong("the public header includes \"" quoted[2] "\"")
        if (quoted[2] == "version.h") next
        if (!(from in rank)) wrong("\"" quoted[2] "\" is in no folder of harness/")
        else if (mine in rank && rank[from] > rank[mine] && FILENAME !~ /_test\.c$/) wrong(mine " may not use " from)
        else if (!(mine in rank) && from != "target") wrong(mine " may not use " from)
    }
    END { exit bad }' || bad=1
find fuzzers -mindepth 2 -name '*.[ch]' | sort | xargs awk '
    BEGIN {
        uses["runtime"] = " runtime "; uses["form"] = " form "
        uses["mutate"] = " runtime form mutate "; uses["reader"] = " runtime form reader "
        uses["judge"] = " runtime judge "; uses["oracle"] = " runtime form reader oracle "
    }
    FNR == 1 { split(FILENAME, path, "/"); mine = path[2] }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\""); from = quoted[2]; sub(/\/.*/, "", from)
        if (!(from in uses) || index(uses[mine], " " from " ")) next
        printf "%s:%d: %s may not use %s\n", FILENAME, FNR, mine, from; bad = 1
    }
    END { exit bad }' || bad=1
twice=$(find harness fuzzers -name '*.[ch]' 2>/dev/null | sed 's|.*/||' | sort | uniq -d)
[ -z "$twice" ] || { echo "expected unique file names, found duplicates: $twice"; bad=1; }
exit ${bad:-0}
