/* Peterson's mutual exclusion for N processes: N - 1 levels, at each the last to come looks at the others one by one and waits. */
#define N 5
byte pos[N];
byte last[N];
byte inside;

active [N] proctype P() {
  byte j = 0, k = 0;
idle:
  j = 1;
rise:
  pos[_pid] = j;
  d_step { last[j] = _pid; k = 0 };
look:
  if
  :: d_step { k < N && (k == _pid || pos[k] < j) -> k = k + 1 }; goto look
  :: d_step { j < N - 1 && (k == N || last[j] != _pid) -> j = j + 1; k = 0 }; goto rise
  :: d_step { j == N - 1 && (k == N || last[j] != _pid) -> k = 0; inside = inside + 1; assert(inside == 1) }
  fi;
  d_step { pos[_pid] = 0; j = 0; inside = inside - 1 };
  goto idle
}
