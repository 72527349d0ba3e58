import { Skeleton } from "@mantine/core";
import classes from "./FlagsSkeleton.module.css";

const ROWS = ["46%", "38%", "52%", "34%", "48%", "40%", "44%", "36%"];

/** The placeholder that is shown while the table of flags loads. */
export function FlagsSkeleton() {
  return (
    <div className={classes.table}>
      {ROWS.map((width) => (
        <div key={width} className={classes.row}>
          <div>
            <Skeleton height={14} width={width} mb={8} />
            <Skeleton height={10} width="30%" />
          </div>
          <Skeleton height={20} width={38} radius="xl" />
          <Skeleton height={20} width={38} radius="xl" />
          <Skeleton height={10} width={72} />
        </div>
      ))}
    </div>
  );
}
