/** When something was, in words, with the exact time on hover. */
import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "../lib/time";

const REFRESH_MS = 30_000;

export function RelativeTime({ at }: { readonly at: string }) {
  // Of another moment the clock is read anew: what has just happened is not still to come.
  return <Moment key={at} at={at} />;
}

function Moment({ at }: { readonly at: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={exactTime(moment)}>
      {relativeTime(moment, now)}
    </time>
  );
}
