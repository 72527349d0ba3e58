import { createTheme, Modal, Tooltip, ActionIcon } from "@mantine/core";

/**
 * The Mantine theme without colours and scroll lock. For these Mantine would write <style>
 * elements, which the content security policy blocks, so styles.css contains them.
 */
export const theme = createTheme({
  cursorType: "pointer",
  defaultRadius: "md",
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" } }),
  },
});
