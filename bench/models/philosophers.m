-- Dining philosophers; the last one takes his forks in the other order.
const N : 10;
type
  pid : 0..N-1;
  place : enum { think, hungry, one, eat, sated };
var
  fork : array [pid] of boolean;
  at : array [pid] of place;

function first(i : pid): pid;
begin
  if i = N-1 then return 0; else return i; end;
end;

function second(i : pid): pid;
begin
  if i = N-1 then return N-1; else return i + 1; end;
end;

startstate
begin
  for i : pid do
    fork[i] := false; at[i] := think;
  end;
end;

ruleset i : pid do
  rule "wait" at[i] = think ==> begin at[i] := hungry; end;
  rule "first" at[i] = hungry & !fork[first(i)] ==> begin fork[first(i)] := true; at[i] := one; end;
  rule "second" at[i] = one & !fork[second(i)] ==> begin fork[second(i)] := true; at[i] := eat; end;
  rule "down1" at[i] = eat ==> begin fork[first(i)] := false; at[i] := sated; end;
  rule "down2" at[i] = sated ==> begin fork[second(i)] := false; at[i] := think; end;
end;

invariant "neighbours" forall i : pid do !(at[i] = eat & at[(i + 1) % N] = eat) end;
