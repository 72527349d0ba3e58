import { Paper, Progress, Text } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./Costs.module.css";
import type { Counter } from "./platform-usage-query.ts";

/**
 * The counters as a list: how much was used, which share of the included amount this is, and what
 * the rest costs.
 */
export function CounterList({ counters }: { counters: readonly Counter[] }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder radius="md">
      <ul className={classes.counters} aria-label={t("costs.counters")}>
        {counters.map((counter) => (
          <CounterRow key={counter.name} counter={counter} />
        ))}
      </ul>
    </Paper>
  );
}

function CounterRow({ counter }: { counter: Counter }) {
  const { t } = useTranslation();
  const { compact, dollars, exactDollars, number, percent, utcDate } = useFormat();
  const { name, unit, amount, included, price, usd, since } = counter;
  const share = amount / included;
  const label = t(`costs.names.${name}`);
  const used = t(`costs.used.${unit}`, {
    amount: number(amount),
    included: compact(included),
    share: percent(share),
  });
  return (
    <li className={classes.counter}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" fw={600} className={classes.usd}>
        {dollars(usd)}
      </Text>
      <div className={classes.meter}>
        <Progress.Root size="md">
          <Progress.Section
            value={Math.min(1, share) * 100}
            color={share > 1 ? "orange" : "blue"}
            aria-label={label}
            aria-valuetext={used}
          />
        </Progress.Root>
        <Text size="sm" mt={4}>
          {used}
        </Text>
        <Text size="xs" c="dimmed">
          {t("costs.price", { usd: exactDollars(price.usd), unit: compact(price.unit) })}
          {since !== null && ` · ${t("costs.since", { date: utcDate(since) })}`}
        </Text>
      </div>
    </li>
  );
}
