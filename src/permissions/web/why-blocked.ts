import type { PermissionDecisionReason } from '../../core/decision-types.js';
import type { PermissionRule } from '../../core/permission-types.js';
import { findAddressProblem } from './address-guard.js';
import { domainPatternOf } from './domain-pattern.js';
import type { WebFact } from './web-fact.js';

type Block = { readonly message: string; readonly reason: PermissionDecisionReason };

/**
 * Why no mode and no wide rule opens an address: it cannot be fetched, or its host is not public. A rule with the exact
 * name of such a host opens it. The exceptions are a metadata service, and a host that is not public only because of
 * the addresses behind its name: names can be made to lead anywhere.
 *
 * @param allow the rules that allow; rules of other tools do not count.
 */
export function whyBlocked(
  { url, host, problem, addresses }: WebFact,
  toolName: string,
  allow: readonly { readonly rule: PermissionRule }[],
): Block | undefined {
  if (problem !== undefined || host === undefined)
    return block(`${JSON.stringify(url)} cannot be fetched: ${problem ?? 'it names no host'}.`);
  const found = findAddressProblem(host, addresses);
  if (found === undefined) return undefined;
  const isNamed = allow.some(
    ({ rule: { value } }) =>
      value.toolName === toolName && domainPatternOf(value.ruleContent ?? '') === host,
  );
  const canBeNamed = found.isOwn && !found.isMetadata;
  if (isNamed && canBeNamed) return undefined;
  const help = canBeNamed ? ` Only a rule that names it does: ${toolName}(domain:${host}).` : '';
  const is = found.isOwn ? 'is' : 'leads to';
  return block(`${host} ${is} ${found.what}, which no mode and no wide rule opens.${help}`);
}

function block(reason: string): Block {
  return { message: reason, reason: { type: 'safetyCheck', reason, classifierApprovable: false } };
}
