import { Button } from "@mantine/core";
import { IconStairsUp } from "@tabler/icons-react";
import { useState } from "react";
import type { Environment, Flag, Strategy } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { RampDialog } from "./RampDialog.tsx";
import { useActiveRamp } from "./use-active-ramp.ts";

interface Props {
  flag: Flag;
  environment: Environment;
  strategy: Strategy;
}

/** A button that opens the form of a new ramp, unless a ramp runs already. */
export function StartRamp(props: Props) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const ramp = useActiveRamp(props.flag, props.environment);
  return (
    <>
      <Button
        variant="default"
        disabled={ramp !== undefined}
        leftSection={<IconStairsUp size={16} stroke={1.75} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t("ramps.open")}
      </Button>
      <RampDialog {...props} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
