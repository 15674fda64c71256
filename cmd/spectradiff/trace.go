package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// traceTo writes the spans of what runs from now on to a file, a line of JSON each, until end is called.
func traceTo(name string) (end func() error, err error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(file))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--trace: %w", err), file.Close())
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter, sdk.WithBlocking()),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "spectradiff"))))
	otel.SetTracerProvider(provider)
	return func() error {
		return errors.Join(provider.Shutdown(context.Background()), file.Close())
	}, nil
}
