import { describe, expect, it } from 'vitest';
import {
  isRecoverableError,
  isRetryableError,
  isTroupeError,
  toFailure,
  UsageError,
} from '../../src/core/errors.js';

const guards = [isTroupeError, isRecoverableError, isRetryableError];
const facts = { code: 'BUSY', severity: 'error', recoverable: true, retryable: true };

describe('an error of Troupe', () => {
  it('is known by its class, or by its facts if another copy of the package made it', () => {
    const answers = (error: unknown) => guards.map((is) => is(error));
    expect(answers(new UsageError('No.'))).toEqual([true, false, false]);
    expect(answers(facts)).toEqual([true, true, true]);
    for (const other of [new Error('No.'), { code: 'BUSY' }, null, undefined, 'BUSY'])
      expect(answers(other)).toEqual([false, false, false]);
  });

  it('becomes data with its code', () => {
    expect(toFailure(Object.assign(new Error('Later.'), facts))).toEqual({
      code: 'BUSY',
      message: 'Later.',
    });
  });
});
