export { Tooltip as HintTooltip } from "@mantine/core";
