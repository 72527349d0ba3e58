import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./Sparkline.module.css";

/** The width of a bar with its gap, and the height of the highest bar, in units of the drawing. */
const [STEP, HEIGHT] = [7, 18];

interface Props {
  /** The evaluations per day, oldest first. */
  counts: readonly number[];
  environment: string;
}

/** The evaluations of a flag in the last days: a bar for each day, and the sum. */
export function Sparkline({ counts, environment }: Props) {
  const { t } = useTranslation();
  const { compact, number } = useFormat();
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = Math.max(...counts);
  const words = { environment, days: counts.length, count: total, total: number(total) };
  const label = t("columns.evaluations", words);
  return (
    <span className={classes.usage} title={label}>
      <svg
        role="img"
        aria-label={label}
        className={classes.bars}
        width={counts.length * STEP}
        height={HEIGHT}
      >
        {counts.map((count, day) => {
          const height = most === 0 ? 1 : Math.max(1, Math.round((count / most) * HEIGHT));
          return (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- the days never change their order
              key={day}
              x={day * STEP}
              y={HEIGHT - height}
              width={STEP - 2}
              height={height}
              rx={1}
            />
          );
        })}
      </svg>
      <span aria-hidden>{compact(total)}</span>
    </span>
  );
}
