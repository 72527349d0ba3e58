import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { AddToRequest } from "../../shared/change-requests/AddToRequest.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { RampDialog } from "./plans/RampDialog.tsx";
import { ScheduleChange } from "./plans/ScheduleChange.tsx";
import { type Answer, SaveReview } from "./SaveReview.tsx";
import { strategyOperation } from "./strategy-request.ts";
import type { StrategyDraft } from "./strategy.ts";
import type { Sending, Way } from "./ways-to-save.ts";

interface Props {
  /** What the user has chosen. Undefined: nothing yet. */
  way: Way | undefined;
  flag: Flag;
  environment: Environment;
  /** The saved strategy. */
  strategy: Strategy;
  values: StrategyDraft;
  segments: SegmentsById;
  onCancel: () => void;
  /** Sends the changes. `turnsOn`: also turns the flag on. */
  onSend: (how: Sending, answer: Answer) => void;
  /** Called when the changes are in a change request or a ramp, and the form needs them no more. */
  onMoved: () => void;
}

/** The dialog for the way in which the user saves the changes of the strategy form. */
export function SaveDialogs(props: Props) {
  const { way, flag, environment, strategy, values, segments, onCancel, onSend, onMoved } = props;
  const operation = strategyOperation({ strategy, change: values });
  switch (way) {
    case undefined:
      return null;
    case "schedule":
      return (
        <ScheduleChange
          projectId={flag.projectId}
          environment={environment}
          operation={operation}
          onCancel={onCancel}
          onScheduled={onMoved}
        />
      );
    case "add":
      return (
        <AddToRequest
          projectId={flag.projectId}
          operation={operation}
          onCancel={onCancel}
          onAdded={onMoved}
        />
      );
    case "ramp":
      return (
        <RampDialog
          flag={flag}
          environment={environment}
          strategy={strategy}
          goal={values.exactPercentage}
          opened
          onClose={onCancel}
          onStarted={onMoved}
        />
      );
    default:
      return (
        <SaveReview
          how={way}
          projectId={flag.projectId}
          environment={environment}
          strategy={strategy}
          values={values}
          segments={segments}
          onCancel={onCancel}
          onSave={(answer) => onSend(way, answer)}
        />
      );
  }
}
