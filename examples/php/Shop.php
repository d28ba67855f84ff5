<?php

declare(strict_types=1);

use payFURL\Sdk\Charge;
use payFURL\Sdk\Config;
use payFURL\Sdk\ResponseException;

/** A shop whose orders are paid with the service's PHP library. */
final class Shop
{
    private const PAID = ['SUCCESS', 'PARTIAL_REFUND'];
    private const NOT_CHARGED = ['FAILED', 'AUTHORISE_CANCELLED'];
    /** They come with status 400, as declines do, but the card may have been charged. */
    private const UNCLEAR_CODES = [34, 37, 80];

    private Charge $charges;

    public function __construct(string $url, string $key, private string $webhookSecret)
    {
        Config::initialise($key, 'local');
        // The library only knows the service's addresses and https://localhost:5001.
        Config::$BaseUrl = $url;
        $this->charges = new Charge();
    }

    /** Can be called again for the same order. Returns paid, declined, or unknown: then call it again later. */
    public function pay(string $reference, float $amount, string $token, string $webhookUrl = ''): string
    {
        try {
            // The answer to an earlier attempt may have been lost, so look for its charge first.
            $charge = $this->find($reference) ?? $this->charges->CreateWithToken([
                'Amount' => $amount,
                'Currency' => 'AUD',
                'Token' => $token,
                'Reference' => $reference,
            ] + ($webhookUrl === '' ? [] : ['Webhook' => ['Url' => $webhookUrl]]));
            return in_array($charge['status'], self::PAID, true) ? 'paid' : 'unknown';
        } catch (ResponseException $problem) {
            $isClear = $problem->httpCode === 400 && !in_array($problem->getCode(), self::UNCLEAR_CODES, true);
            return $isClear ? 'declined' : 'unknown';
        }
    }

    public function refund(string $reference, float $amount): string
    {
        $charge = $this->find($reference);
        return $this->charges->Refund(['ChargeId' => $charge['chargeId'], 'Amount' => $amount])['status'];
    }

    /** The status that a webhook reports, or null if it does not come from the gateway. */
    public function readWebhook(string $body, string $signature): ?string
    {
        $expected = base64_encode(hash_hmac('sha256', $body, $this->webhookSecret, true));
        return hash_equals($expected, $signature) ? json_decode($body, true)['data']['status'] : null;
    }

    private function find(string $reference): ?array
    {
        foreach ($this->charges->Search(['Reference' => $reference])['charges'] as $charge) {
            if (!in_array($charge['status'], self::NOT_CHARGED, true)) {
                return $charge;
            }
        }
        return null;
    }
}
