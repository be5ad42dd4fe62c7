import { TroupeError } from '../../core/errors.js';

/** The script has no reply for a request. The message names the agent, the remaining steps and the last input. */
export class ScriptExhaustedError extends TroupeError {
  override readonly name = 'ScriptExhaustedError';
  readonly code = 'SCRIPT_EXHAUSTED';
}

/** A `${name}` that was not captured before the step was taken. */
export class ScriptVariableError extends TroupeError {
  override readonly name = 'ScriptVariableError';
  readonly code = 'SCRIPT_VARIABLE';
  readonly variable: string;

  constructor(variable: string, known: readonly string[]) {
    super(
      `The script uses \${${variable}}, which has no value yet. Known here: ` +
        `${known.length === 0 ? 'nothing' : known.join(', ')}. Write $\${${variable}} for the text itself.`,
    );
    this.variable = variable;
  }
}
