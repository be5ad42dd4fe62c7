import { describe, expect, it } from 'vitest';
import {
  builtInAgentType,
  findAgentDefinition,
  isSameAgentType,
} from '../../../src/core/agents/agent-type.js';

const definition = (name: string) => ({ name, description: `${name}.`, prompt: '' });

describe('the type of an agent', () => {
  it('is a built-in one in any case', () => {
    expect(['explore', 'EXPLORE', 'Plan', 'General-Purpose', 'mine'].map(builtInAgentType)).toEqual(
      ['Explore', 'Explore', 'Plan', 'general-purpose', undefined],
    );
    expect(isSameAgentType('explore', 'Explore')).toBe(true);
    expect(isSameAgentType('mine', 'Mine')).toBe(false);
  });

  it('finds the definition that is spelled exactly so first', () => {
    const definitions = ['Explore', 'explore', 'mine'].map(definition);
    const found = ['explore', 'Explore', 'EXPLORE', 'mine', 'Mine', undefined].map(
      (type) => findAgentDefinition(definitions, type)?.name,
    );
    expect(found).toEqual(['explore', 'Explore', 'Explore', 'mine', undefined, undefined]);
  });
});
