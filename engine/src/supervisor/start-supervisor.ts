import { Conflict, sleep, systemClock, Timeout, Unavailable } from "@butler/std";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { logSince, logSize } from "./log-file.ts";
