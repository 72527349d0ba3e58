/** How far the clock of the isolate was moved, milliseconds. */
export const clock = { moved: 0 };

/** Moves the results of `Date.now`. Timers, and the alarms of the runtime, keep the real time. */
const realNow = Date.now;
Date.now = () => realNow() + clock.moved;
