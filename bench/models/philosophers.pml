/* Dining philosophers; the last one takes his forks in the other order. */
#define N 10
bool fork[N];
bool eats[N];
#define FIRST (_pid == N - 1 -> 0 : _pid)
#define SECOND (_pid == N - 1 -> N - 1 : _pid + 1)

active [N] proctype P() {
think:
  skip;
  d_step { !fork[FIRST] -> fork[FIRST] = true };
  d_step { !fork[SECOND] -> fork[SECOND] = true; eats[_pid] = true; assert(!eats[(_pid + 1) % N] && !eats[(_pid + N - 1) % N]) };
  d_step { fork[FIRST] = false; eats[_pid] = false };
  fork[SECOND] = false;
  goto think
}
