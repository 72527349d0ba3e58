import { describeConformance } from "../../sdk/support/conformance.ts";

describeConformance();
