import { describe, expect, it } from 'vitest';
import { takeTurns } from '../src/turns.ts';

describe('sides taking turns', () => {
  it('alternate the order: A B C, C B A, A B C', async () => {
    const order: string[] = [];
    await takeTurns(['A', 'B', 'C'], 3, async (side) => {
      order.push(side);
    });
    expect(order.join('')).toBe('ABCCBAABC');
  });

  it('never run two sides at once', async () => {
    let running = 0;
    await takeTurns(['A', 'B'], 2, async () => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
  });

  it('give the samples of each side by turn', async () => {
    const samples = await takeTurns(['A', 'B'], 3, async (side, turn) => `${side}${turn}`);
    expect(samples.get('A')).toEqual(['A0', 'A1', 'A2']);
    expect(samples.get('B')).toEqual(['B0', 'B1', 'B2']);
  });
});
