import type { BashGrammar } from '../../../tools/shell/bash-grammar.js';
import type { Settings } from '../../options/settings.js';
import type { Audit } from './audit.js';
import type { SessionHooks } from '../../hooks/session-hooks.js';
import type { Timers } from '../../services/timers.js';

/** What deciding on an agent's tool uses needs of its session. */
export type PermissionServices = {
  readonly timers: Timers;
  readonly audit: Audit;
  readonly bashGrammar: BashGrammar;
  /** Absent where there are none. */
  readonly hooks?: SessionHooks | undefined;
  readonly settings: Pick<Settings, 'requireCanUseTool'>;
  /** What decides in the mode `auto`. */
  readonly classifierName?: string | undefined;
};
