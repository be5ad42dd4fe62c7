import { describe, expect, it } from 'vitest';
import { describeUnusedVariables } from '../../../src/api/options/unused-variables.js';

describe('describeUnusedVariables', () => {
  it('has one line for each variable that is set and has no effect', () => {
    const env = { BASH_DEFAULT_TIMEOUT_MS: '5000', BASH_MAX_TIMEOUT_MS: '9000', HOME: '/h' };
    expect(describeUnusedVariables(env)).toEqual([
      'BASH_DEFAULT_TIMEOUT_MS has no effect. A command ends after 120 s unless the tool call says another `timeout`.',
      'BASH_MAX_TIMEOUT_MS has no effect. The longest `timeout` of a command is 600 s.',
    ]);
    expect(describeUnusedVariables({ BASH_MAX_TIMEOUT_MS: '' })).toEqual([]);
  });
});
