import { ModalsProvider } from "@mantine/modals";
import { useEffect } from "react";
import { markDialogsReady } from "../shared/ui/dialogs.ts";

/** The confirmation dialogs that `useConfirm` opens. */
export function Dialogs() {
  useEffect(markDialogsReady, []);
  return <ModalsProvider>{null}</ModalsProvider>;
}
