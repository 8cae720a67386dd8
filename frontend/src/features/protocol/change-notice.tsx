/** What a change would mean for work done, and the button that makes it. */
import type { ProtocolChange } from "../../api/contract";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import styles from "./protocol.module.css";

interface ChangeNoticeProps {
  readonly change: ProtocolChange;
  readonly busy: boolean;
  readonly onKeep: () => void;
}

export function ChangeNotice({ change, busy, onKeep }: ChangeNoticeProps) {
  if (change.is_same) return <Notice>This is the protocol in force. There is nothing to keep.</Notice>;
  return (
    <div role="status">
      <Notice
        title={`What version ${change.number} means`}
        actions={
          <Button variant="primary" busy={busy} onClick={onKeep}>
            Put version {change.number} in force
          </Button>
        }
      >
        <ul className={styles["effects"]}>
          {change.effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
