# wrap-options.sh NM OBJECT OUTPUT: the options, for a compiler that links, by which the functions __wrap_… of an object are called.
"$1" "$2" | sed -n 's/.* T __wrap_/-Wl,--wrap=/p' | sort -u >"$3"
printf '%s\n' -Wl,-u,tc_rt_door_open -Wl,--export-dynamic-symbol=tc_rt_door_open >>"$3"
