/** Measures the seconds really spent on a sheet. */
import { useEffect, useState } from "react";
import { type ActiveClock, createActiveClock } from "./active-clock";

const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"] as const;

export function useActiveClock(sheetId: string | null, secondsBefore: number): ActiveClock {
  const [clock] = useState(() => createActiveClock());
  useEffect(() => {
    clock.restart(secondsBefore);
    // Only a new sheet restarts the clock; what was spent before is read once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [clock, sheetId]);
  useEffect(() => {
    const changed = () => (document.hidden ? clock.pause() : clock.resume());
    const options = { passive: true, capture: true };
    document.addEventListener("visibilitychange", changed);
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, clock.touch, options);
    return () => {
      document.removeEventListener("visibilitychange", changed);
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, clock.touch, options);
    };
  }, [clock]);
  return clock;
}
