import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { readMaxAge } from "../../src/data/request-headers.ts";
import { readWait } from "../../src/platform/http/index.ts";
import { matchesEtag } from "../../src/platform/http/index.ts";

const withHeader = (name: string, value: string | undefined): FastifyRequest =>
  ({ headers: { [name]: value } }) as unknown as FastifyRequest;

describe("Prefer", () => {
  test.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["wait=0", 0],
    ["wait=1", 1],
    ["wait=29", 29],
    ["wait=30", 30],
    ["wait=31", 30],
    ["wait=100000", 30],
    ["wait=10000000", 30],
    ["wait=010", 10],
    ["WAIT=5", 5],
    ["wait = 5", 5],
    ['wait="5"', 5],
    ["wait=5;x", 5],
    ["respond-async,wait=5", 5],
    ["wait=5, wait=9", 5],
    ["wait=-5", undefined],
    ["wait=5.5", undefined],
    ["wait=5s", undefined],
    ["wait=", undefined],
    ["wait", undefined],
    ["waits=5", undefined],
    ["x-wait=5", undefined],
    ['foo="wait=5"', undefined],
    ["handling=lenient; wait=5", undefined],
  ])("%o asks for a wait of %o seconds", (value, seconds) => {
    expect(readWait(withHeader("prefer", value))).toBe(seconds);
  });
});

describe("Cache-Control", () => {
  test.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["no-cache", 60],
    ["No-Cache", 60],
    [" no-cache ", 60],
    ["max-age=0,no-cache", 60],
    ["no-cache, no-store", 60],
    ["no-store", undefined],
    ["max-age=0", undefined],
    ["must-revalidate, no-cachex", undefined],
    ["x-no-cache", undefined],
  ])("%o accepts data of %o seconds", (value, seconds) => {
    expect(readMaxAge(withHeader("cache-control", value))).toBe(seconds);
  });
});

describe("If-None-Match", () => {
  test.each<[string | undefined, boolean]>([
    [undefined, false],
    ["", false],
    ["*", true],
    [" * ", true],
    ['"a_B-1"', true],
    ['W/"a_B-1"', true],
    ['"x", W/"a_B-1"', true],
    ['"x",W/"a_B-1","y"', true],
    ['W/"a_b-1"', false],
    ['W/"a_B-"', false],
    ['W/"a_B-11"', false],
    ["a_B-1", false],
    ["W/a_B-1", false],
    ['w/"a_B-1"', false],
    ['W/W/"a_B-1"', false],
    ['"*"', false],
    ['"x"', false],
  ])("%o matches the tag: %o", (value, isMatch) => {
    expect(matchesEtag(withHeader("if-none-match", value), 'W/"a_B-1"')).toBe(isMatch);
  });
});
