import { Component, type ReactNode, Suspense } from "react";
import { LoadFailed } from "./LoadFailed.tsx";

interface Props {
  /** Shown while the code of the children loads. By default nothing. */
  placeholder?: ReactNode;
  children: ReactNode;
}

/**
 * Shows `placeholder` while the code of the children loads, and an error if it does not load. Inside
 * the dashboard, the router does the same for each page.
 */
export class LoadBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { placeholder, children } = this.props;
    if (this.state.error !== undefined) return <LoadFailed error={this.state.error} />;
    return <Suspense fallback={placeholder}>{children}</Suspense>;
  }
}
