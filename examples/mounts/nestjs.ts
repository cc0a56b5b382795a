// NestJS on Express, with its body parser.
import { Module, type INestApplication } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";

@Module({})
class AppModule {}

export async function createApp(tracker: Tracker): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.use("/api/v1", toListener(tracker));
  return app;
}
