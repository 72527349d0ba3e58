import { Fragment, type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./WeightsBar.module.css";
import { bordersOf, type Shares, toPercent, toShare, WHOLE, withBorder } from "./weights.ts";

interface Props {
  variants: readonly string[];
  color: (variant: string) => string;
  shares: Shares;
  onChange: (shares: Shares) => void;
}

/** How far a key moves a border, in percent. The border then is at a whole percentage. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -100,
  End: 100,
};

/** A part for each variant. The borders are sliders that stop at whole percentages. */
export function WeightsBar({ variants, color, shares, onChange }: Props) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const bar = useRef<HTMLDivElement>(null);
  const borders = bordersOf(shares);

  const drag = (event: PointerEvent<HTMLElement>, index: number) => {
    if (!bar.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = bar.current.getBoundingClientRect();
    const percent = Math.round(((event.clientX - left) / width) * 100);
    onChange(withBorder(shares, index, toShare(percent)));
  };

  const press = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const percent = toPercent(borders[index] ?? 0);
    const whole = step > 0 ? Math.floor(percent) : Math.ceil(percent);
    onChange(withBorder(shares, index, toShare(whole + step)));
  };

  const share = (index: number) => exactPercent((shares[index] ?? 0) / WHOLE);
  const words = (index: number) =>
    t("rules.borderValue", {
      left: variants[index],
      leftShare: share(index),
      right: variants[index + 1],
      rightShare: share(index + 1),
    });

  return (
    <div ref={bar} className={classes.bar}>
      {variants.map((variant, index) => (
        <Fragment key={variant}>
          <div
            className={classes.part}
            style={{ flexGrow: shares[index] ?? 0, backgroundColor: color(variant) }}
            title={`${variant}: ${share(index)}`}
          />
          {index < borders.length && (
            <div
              role="slider"
              tabIndex={0}
              className={classes.border}
              style={{ left: `${toPercent(borders[index] ?? 0)}%` }}
              aria-label={t("rules.border", { left: variant, right: variants[index + 1] })}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={toPercent(borders[index] ?? 0)}
              aria-valuetext={words(index)}
              onPointerDown={(event) => {
                event.preventDefault();
                event.currentTarget.focus();
                event.currentTarget.setPointerCapture(event.pointerId);
              }}
              onPointerMove={(event) => drag(event, index)}
              onKeyDown={(event) => press(event, index)}
            />
          )}
        </Fragment>
      ))}
    </div>
  );
}
