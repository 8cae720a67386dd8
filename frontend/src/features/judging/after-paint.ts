/** Lets people see first what they did. */

/** For pages that paint nothing, as hidden ones do. */
const LONGEST_WAIT_MS = 100;

/** Runs `act` once, after the next frame is painted. */
export function afterPaint(act: () => void): void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    act();
  };
  setTimeout(once, LONGEST_WAIT_MS);
  // The frame is painted after its callbacks, and tasks run after that.
  requestAnimationFrame(() => setTimeout(once));
}
