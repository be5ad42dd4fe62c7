import { describe, expect, it } from 'vitest';
import { startableAgents } from '../../../src/actors/agents/startable-agents.js';

const definitions = ['general-purpose', 'Explore', 'worker', 'mine'].map((name) => ({
  name,
  description: name,
  prompt: '',
}));

describe('startableAgents', () => {
  it.each([
    [undefined, ['general-purpose', 'Explore', 'worker', 'mine']],
    [
      ['Agent', 'Read'],
      ['general-purpose', 'Explore', 'worker', 'mine'],
    ],
    [['Agent(*)'], ['general-purpose', 'Explore', 'worker', 'mine']],
    [
      ['Agent(mine)', 'Task'],
      ['general-purpose', 'Explore', 'worker', 'mine'],
    ],
    [
      ['Agent(explore, mine)', 'Read'],
      ['Explore', 'mine'],
    ],
    [
      ['Task(EXPLORE)', 'Agent(worker)'],
      ['Explore', 'worker'],
    ],
    [['Agent(Mine)'], []],
  ])('of the tools %j are %j', (tools, names) => {
    const found = startableAgents(tools === undefined ? {} : { tools }, definitions);
    expect(found.map(({ name }) => name)).toEqual(names);
  });
});
