-- Peterson's mutual exclusion for N processes: N - 1 levels, at each the last to come waits.
const N : 4;
type
  pid : 0..N-1;
  place : enum { idle, rise, yield, await, critical };
var
  pos : array [pid] of 0..N-1;
  last : array [pid] of 0..N-1;
  j : array [pid] of 0..N-1;
  at : array [pid] of place;

function free(i : pid): boolean;
begin
  return last[j[i]] != i | forall k : pid do k = i | pos[k] < j[i] end;
end;

startstate
begin
  for i : pid do
    pos[i] := 0; last[i] := 0; j[i] := 0; at[i] := idle;
  end;
end;

ruleset i : pid do
  rule "begin" at[i] = idle ==> begin j[i] := 1; at[i] := rise; end;
  rule "rise" at[i] = rise ==> begin pos[i] := j[i]; at[i] := yield; end;
  rule "yield" at[i] = yield ==> begin last[j[i]] := i; at[i] := await; end;
  rule "up" at[i] = await & j[i] < N-1 & free(i) ==> begin j[i] := j[i] + 1; at[i] := rise; end;
  rule "enter" at[i] = await & j[i] = N-1 & free(i) ==> begin at[i] := critical; end;
  rule "leave" at[i] = critical ==> begin pos[i] := 0; j[i] := 0; at[i] := idle; end;
end;

invariant "mutex" forall i : pid do forall k : pid do i < k -> !(at[i] = critical & at[k] = critical) end end;
