-- Peterson's mutual exclusion for N processes: N - 1 levels, at each the last to come looks at the others one by one and waits.
const N : 5;
type
  pid : 0..N-1;
  place : enum { idle, rise, yield, look, critical };
var
  pos : array [pid] of 0..N-1;
  last : array [pid] of 0..N-1;
  j : array [pid] of 0..N-1;
  k : array [pid] of 0..N;
  at : array [pid] of place;

startstate
begin
  for i : pid do
    pos[i] := 0; last[i] := 0; j[i] := 0; k[i] := 0; at[i] := idle;
  end;
end;

ruleset i : pid do
  rule "begin" at[i] = idle ==> begin j[i] := 1; at[i] := rise; end;
  rule "rise" at[i] = rise ==> begin pos[i] := j[i]; at[i] := yield; end;
  rule "yield" at[i] = yield ==> begin last[j[i]] := i; k[i] := 0; at[i] := look; end;
  rule "next" at[i] = look & k[i] < N & (k[i] = i | pos[k[i]] < j[i]) ==> begin k[i] := k[i] + 1; end;
  rule "up" at[i] = look & j[i] < N-1 & (k[i] = N | last[j[i]] != i) ==> begin j[i] := j[i] + 1; k[i] := 0; at[i] := rise; end;
  rule "enter" at[i] = look & j[i] = N-1 & (k[i] = N | last[j[i]] != i) ==> begin k[i] := 0; at[i] := critical; end;
  rule "leave" at[i] = critical ==> begin pos[i] := 0; j[i] := 0; at[i] := idle; end;
end;

invariant "mutex" forall i : pid do forall l : pid do i < l -> !(at[i] = critical & at[l] = critical) end end;
