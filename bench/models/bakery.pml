/* Lamport's bakery, looking at the others one by one, with at most MAX as ticket: whoever would draw a higher one waits. */
#define N 4
#define MAX 8
bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype P() {
  byte k = 0, m = 0;
idle:
  choosing[_pid] = true;
draw:
  if
  :: d_step { k < N -> m = (ticket[k] > m -> ticket[k] : m); k = k + 1 }; goto draw
  :: d_step { k == N && m < MAX -> ticket[_pid] = m + 1; k = 0; m = 0 }
  fi;
  choosing[_pid] = false;
look:
  if
  :: d_step { k < N && !choosing[k] && (ticket[k] == 0 || ticket[_pid] < ticket[k] || (ticket[_pid] == ticket[k] && _pid <= k)) -> k = k + 1 }; goto look
  :: d_step { k == N -> k = 0; inside = inside + 1; assert(inside == 1) }
  fi;
  d_step { ticket[_pid] = 0; inside = inside - 1 };
  goto idle
}
