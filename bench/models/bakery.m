-- Lamport's bakery, looking at the others one by one, with at most MAX as ticket: whoever would draw a higher one waits.
const
  N : 4;
  MAX : 8;
type
  pid : 0..N-1;
  place : enum { idle, draw, drawn, look, critical };
var
  choosing : array [pid] of boolean;
  ticket : array [pid] of 0..MAX;
  k : array [pid] of 0..N;
  m : array [pid] of 0..MAX;
  at : array [pid] of place;

startstate
begin
  for i : pid do
    choosing[i] := false; ticket[i] := 0; k[i] := 0; m[i] := 0; at[i] := idle;
  end;
end;

ruleset i : pid do
  rule "begin" at[i] = idle ==> begin choosing[i] := true; at[i] := draw; end;
  rule "max" at[i] = draw & k[i] < N ==> begin if ticket[k[i]] > m[i] then m[i] := ticket[k[i]]; end; k[i] := k[i] + 1; end;
  rule "draw" at[i] = draw & k[i] = N & m[i] < MAX ==> begin ticket[i] := m[i] + 1; k[i] := 0; m[i] := 0; at[i] := drawn; end;
  rule "drawn" at[i] = drawn ==> begin choosing[i] := false; at[i] := look; end;
  rule "next" at[i] = look & k[i] < N & !choosing[k[i]] & (ticket[k[i]] = 0 | ticket[i] < ticket[k[i]] | (ticket[i] = ticket[k[i]] & i <= k[i])) ==>
  begin k[i] := k[i] + 1; end;
  rule "enter" at[i] = look & k[i] = N ==> begin k[i] := 0; at[i] := critical; end;
  rule "leave" at[i] = critical ==> begin ticket[i] := 0; at[i] := idle; end;
end;

invariant "mutex" forall i : pid do forall l : pid do i < l -> !(at[i] = critical & at[l] = critical) end end;
