/** Rules, reasons and decisions of permissions, for front ends. */
export { describeKept } from '../../actors/services/describe-kept.js';
export { PermissionAnswer } from '../../core/decision-types.js';
export { PermissionRequest } from '../../core/events.js';
export { applyPermissionUpdate } from '../../permissions/modes/apply-update.js';
export { describeReason } from '../../permissions/describe-reason.js';
export {
  formatRule,
  parseRule,
  describeRule,
  rulesBySource,
} from '../../permissions/rules/rule.js';
export { parseRuleList } from '../../permissions/rules/rule-list.js';
export {
  findRuleProblem,
  findRuleProblems,
  tellRuleProblem,
  tellRuleProblems,
} from '../../permissions/rules/rule-problems.js';
export { toPermissionContext } from '../../settings/permissions/to-permission-context.js';
