/** Keeps the places of the overview while it loads. */
import { Skeleton } from "../../components/skeleton";
import styles from "./overview-page.module.css";

export function OverviewLoading() {
  return (
    <>
      <Skeleton lines={2} height={1} />
      <div className={styles["columns"]}>
        <Skeleton lines={4} height={2} />
        <Skeleton lines={2} height={4} />
      </div>
      <Skeleton lines={5} />
    </>
  );
}
