import assert from "node:assert/strict";
import { violationsOn } from "./everywhere.ts";
import { audience, checklist, deedsOf, madeOn, save, subscription } from "./kinds.ts";
import type { Deeds } from "./run.ts";

/** Two tabs that edit one definition. */
export const overwritingDeeds: Deeds = {
  ...deedsOf(
    "what another tab has saved is replaced only by who has seen both",
    { audience, checklist, subscription },
    async ({ page, context }, made) => {
      const question = page.getByRole("dialog", { name: "Somebody else has changed this" });
      const shows = (value: string): Promise<void> => question.getByText(new RegExp(`: "?${value}\\b`)).waitFor();
      const changeElsewhere = async (value: string): Promise<void> => {
        const tab = await context.newPage();
        await made.open(tab);
        await made.fieldOf(tab).fill(value);
        await save(tab);
        await made.becomes(value);
        await tab.close();
      };
      await made.open(page);
      await made.fieldOf(page).fill("11");
      await changeElsewhere("22");
      await save(page);
      await shows("22");
      await shows("11");
      assert.deepEqual(await violationsOn(page), []);
      await question.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await made.fieldOf(page).inputValue(), "11");
      await save(page);
      await shows("22");
      await changeElsewhere("33");
      await question.getByRole("button", { name: "Save mine" }).click();
      await shows("33");
      assert.equal(await made.stored(), "33");
      await question.getByRole("button", { name: "Save mine" }).click();
      await made.becomes("11");
    },
  ),

  ...deedsOf(
    "what was deleted meanwhile is created again only by who has been told",
    { audience, checklist, subscription },
    async ({ page, forgive }, made) => {
      // The page of a subscription goes on asking how its messages get on.
      forgive(/status of 404/);
      const question = page.getByRole("dialog", { name: "Somebody else has deleted this" });
      await made.open(page);
      await made.fieldOf(page).fill("11");
      await made.delete();
      await save(page);
      await question.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await made.stored(), undefined);
      await save(page);
      await question.getByRole("button", { name: "Create it again" }).click();
      await made.becomes("11");
    },
  ),

  ...deedsOf(
    "what was typed before a reload does not replace unseen what was saved before it",
    { audience, checklist },
    async ({ page }, made) => {
      await made.open(page);
      await made.fieldOf(page).fill("11");
      await made.store("22");
      await page.reload();
      assert.equal(await made.fieldOf(page).inputValue(), "11");
      await save(page);
      await page.getByRole("dialog").getByRole("button", { name: "Save mine" }).click();
      await made.becomes("11");
    },
  ),

  "whoever saves an audience twice is not asked about their own change, and goes back to what others have saved":
    async (mount) => {
      const { page } = mount;
      const made = madeOn(mount, audience);
      await made.store("10");
      await made.open(page);
      for (const value of ["11", "22"]) {
        await made.fieldOf(page).fill(value);
        await save(page);
        await page.getByText("Saved", { exact: true }).waitFor();
      }
      await made.store("33");
      await made.fieldOf(page).fill("44");
      await save(page);
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Discard" }).click();
      assert.equal(await made.fieldOf(page).inputValue(), "33");
      for (const value of ["55", "66"]) {
        await made.fieldOf(page).fill(value);
        // As if the answer to an earlier try had been lost.
        if (value === "66") await made.store(value);
        await save(page);
        await page.getByText("Saved", { exact: true }).waitFor();
      }
    },
};
