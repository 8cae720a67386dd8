/** A value once it has stopped changing for a moment, so that typing asks the server now and then only. */
import { useEffect, useState } from "react";

const PAUSE_MS = 250;

export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
