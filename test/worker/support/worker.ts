import { PasswordHasherObject as Real } from "../../../src/worker.ts";
import { cheapKey } from "./hashers.ts";

export {
  default,
  Flags,
  MetricsObject,
  RefreshFamilyObject,
  SchedulerObject,
  StreamHubObject,
  StreamLeafObject,
  UsageObject,
} from "../../../src/worker.ts";

/** The password object of the service, with cheap hashes instead of the real ones. */
export class PasswordHasherObject extends Real {
  override async derive(
    ...[password, salt, cost, deadline]: Parameters<Real["derive"]>
  ): Promise<Uint8Array | undefined> {
    return Date.now() < deadline ? cheapKey(password, salt, cost) : undefined;
  }
}
